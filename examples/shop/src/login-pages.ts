const fields = (autocomplete: string) => `<label>Name <input name="name" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="${autocomplete}" required></label>`;

/** The page on which a visitor signs up. `problem` says why the last try was refused; it is not escaped. */
export const signUpPage = (problem = ""): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sign up</title>
<h1>Sign up</h1><p role="alert">${problem}</p>
<form method="post" action="/signup">${fields("new-password")}
<p>You accept our <a href="/terms">terms</a>.</p>
<button>Sign up</button></form>
<p><a href="/login">I have an account</a></p></html>`;

/** The page on which a user logs in, and then goes to `path`; neither argument is escaped. */
export const loginPage = (path: string, problem = ""): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Log in</title>
<h1>Log in</h1><p role="alert">${problem}</p>
<form method="post" action="/login">${fields("current-password")}
<input type="hidden" name="return_to" value="${path}">
<button>Log in</button></form>
<p><a href="/signup">Sign up</a></p></html>`;

import express, { type Request, type Response } from "express";
import { gateway } from "./gateway.ts";
import { cookieName, cookieOptions, loginCookie } from "./login-cookie.ts";
import { loginPage, signUpPage } from "./login-pages.ts";
import { addUser, hasPassword } from "./users.ts";

/** The pages /signup, /login and /logout. A user is the account of the same name. */
export const login: express.Router = express.Router();

login.get("/signup", (_request, response) => response.send(signUpPage()));
login.get("/login", (request, response) => response.send(loginPage(ownPath(request.query["return_to"]))));
login.get("/logout", (_request, response) => response.clearCookie(cookieName, cookieOptions).redirect(303, "/login"));
login.use(["/signup", "/login"], express.urlencoded({ limit: "4kb" }), refuseOtherSites);
login.post("/signup", async (request, response) => {
  const { name, password } = credentials(request);
  if (!/^[a-z0-9-]{3,32}$/.test(name) || password.length < 12 || password.length > 200)
    return response.status(422).send(signUpPage("Take a name of 3 to 32 of a-z, 0-9 and -, and 12 to 200 characters."));
  if (!(await addUser(name, password))) return response.status(409).send(signUpPage("This name is taken."));
  const { inForce } = gateway.inspect().terms;
  // The form says that who signs up accepts them.
  if (inForce !== undefined) await gateway.terms.accept(name, inForce);
  return logIn(response, name, "/");
});
login.post("/login", async (request, response) => {
  const { name, password } = credentials(request);
  const path = ownPath(request.body?.["return_to"]);
  if (await hasPassword(name, password.slice(0, 200))) return logIn(response, name, path);
  return response.status(401).send(loginPage(path, "The name or the password is wrong."));
});

/** Keeps other sites from logging a visitor in as somebody else. Browsers send the header on HTTPS and on the own machine. */
function refuseOtherSites(request: Request, response: Response, next: () => void): void {
  if (request.get("sec-fetch-site") === "same-origin") next();
  else response.status(403).send("Send the form from our own page.");
}

const credentials = ({ body }: Request) => ({
  name: String(body?.["name"] ?? ""),
  password: String(body?.["password"] ?? ""),
});

/** A path of this site, so that a link to the login leads to no other site. */
const ownPath = (path: unknown): string => (/^(?:\/[\w-]+)+\/?$/.test(String(path)) ? String(path) : "/");

function logIn(response: Response, name: string, path: string): void {
  response.cookie(cookieName, loginCookie(name), { ...cookieOptions, maxAge: 7 * 86_400_000 }).redirect(303, path);
}

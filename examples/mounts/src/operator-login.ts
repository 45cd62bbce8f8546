import type { Authorize } from "@tollgate/management";

/** Returns the login of this host for people, which knows them by their session cookie. */
export const operatorLogin =
  (
    findUser: (cookie: string) => Promise<{ readonly email: string; readonly isAdmin: boolean } | undefined>,
  ): Authorize =>
  async ({ headers }) => {
    const user = await findUser(headers.get("cookie") ?? "");
    if (user === undefined) return new Response(null, { status: 303, headers: { location: "/login" } });
    return { actor: user.email, role: user.isAdmin ? "admin" : "viewer" };
  };

"use strict";
// The pages where people join, sign in and manage their account.

const byId = (id) => document.getElementById(id);
const show = (text) => { byId("told").textContent = text; };

// The secret of a link stands after "#". It is removed from the address at once, so that neither
// the history nor a shared screen shows it.
const secret = location.hash.slice(1);
if (secret) history.replaceState(null, "", location.pathname + location.search);

let changeToken = null;

async function call(method, path, body) {
  const headers = {};
  if (body) headers["content-type"] = "application/json";
  if (changeToken) headers["x-change-token"] = changeToken;
  const answer = await fetch(path, {
    method, headers, credentials: "same-origin", body: body ? JSON.stringify(body) : undefined,
  });
  const text = await answer.text();
  let json = null;
  try { json = text ? JSON.parse(text) : null; } catch (error) { /* A proxy's page, not JSON. */ }
  if (!answer.ok) {
    const plain = "The server answered " + answer.status + ".";
    throw new Error(json && json.detail ? json.detail : plain);
  }
  return json;
}

// Whether somebody looks after a site: they have a page with their sites.
function isStaff(session) {
  return session.grants.some((grant) => grant.role.startsWith("administrator") ||
    grant.role === "surveyor");
}

const values = (form) => Object.fromEntries(new FormData(form).entries());

// The path of this site to continue with; other addresses are not followed.
function next() {
  const wanted = new URLSearchParams(location.search).get("return") || "/account";
  const isOwn = wanted.startsWith("/") && !wanted.startsWith("//") && !wanted.includes("\\");
  return isOwn ? wanted : "/account";
}

function on(id, work) {
  const form = byId(id);
  if (!form) return;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    show("");
    try { await work(values(form), form); } catch (error) { show(error.message); }
    button.disabled = false;
  });
}

on("sign-in-form", async (form) => {
  await call("POST", "/v1/session", { signIn: form.signIn, password: form.password });
  location.assign(next());
});

const brokenLink = "The link is incomplete: open it again as you received it.";
on("join-form", async (form) => {
  if (!secret) throw new Error(brokenLink);
  if (form.password !== form.again) throw new Error("The two passwords are not the same.");
  const session = await call("POST", "/v1/accounts",
    { secret, signIn: form.signIn, name: form.name, password: form.password });
  location.assign(isStaff(session) ? "/staff" : "/account");
});

on("password-form", async (form, element) => {
  if (form.new !== form.again) throw new Error("The two new passwords are not the same.");
  const answer = await call("POST", "/v1/session/password", { old: form.old, new: form.new });
  changeToken = answer.changeToken;
  element.reset();
  show("The password was changed. You are signed out everywhere else.");
});

function button(id, work) {
  const element = byId(id);
  if (element) {
    element.addEventListener("click", async () => {
      try { await work(); location.assign("/sign-in"); } catch (error) { show(error.message); }
    });
  }
}
button("sign-out", () => call("DELETE", "/v1/session"));
button("sign-out-everywhere", () => call("DELETE", "/v1/session/everywhere"));

async function start() {
  const session = await call("GET", "/v1/session");
  changeToken = session.changeToken;
  if (byId("provider")) {
    byId("provider").hidden = !session.hasProvider;
    byId("provider-link").href += "?return=" + encodeURIComponent(next());
  }
  if (byId("join-form") && !secret) show(brokenLink);
  if (!byId("who")) return;
  if (!session.account) { location.replace("/sign-in?return=/account"); return; }
  byId("who").textContent = "You are " + session.name +
    (session.signIn ? " (" + session.signIn + ")" : "") + ", signed in until " +
    new Date(session.endsAt).toLocaleString(
      [], { weekday: "long", hour: "numeric", minute: "2-digit" }) + ".";
  for (const grant of session.grants) {
    const item = document.createElement("li");
    item.textContent = grant.role + (grant.site ? " at " + grant.site : " of all sites") +
      (grant.buildings ? ", in " + grant.buildings.join(" and ") : "");
    byId("grants").append(item);
  }
  byId("sign-out-everywhere").hidden = false;
  byId("password-section").hidden = !session.signIn;
  if (session.signIn) {
    document.querySelector("#password-form [name=signIn]").value = session.signIn;
  }
  byId("staff").hidden = !isStaff(session);
}
start().catch((error) => show(error.message));

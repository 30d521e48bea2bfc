// @ts-check
/**
 * What is kept for times without a connection: pages, scripts and pictures as they were last seen, the lessons, the day's
 * position. Whatever the server says now comes first, so that nothing here is ever older than need be. Games, accounts
 * and everything that is sent go to the server alone. And messages that the server pushes: your turn, a challenge.
 */

const CACHE = "fullprime-1";
const SHELL = ["/", "/learn", "/library", "/rules", "/real", "/house", "/offline", "/api/options", "/api/clocks", "/api/school", "/api/daily"];
/** Answers of the API that are the same for everybody. */
const KEPT = [/^\/api\/options$/, /^\/api\/clocks$/, /^\/api\/school($|\/lessons\/[^/]+$)/, /^\/api\/daily$/, /^\/api\/rules$/, /^\/api\/glossary/];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** What a page, a sheet or a script names of ours: a page that is kept without its scripts would stand there and do nothing. */
const NAMED = /"(\/static\/[^"?#]+\.(?:js|css|svg))"/g;

/** Keep something and all that it names. @param {Cache} cache @param {string} path @param {Set<string>} seen */
async function keep(cache, path, seen) {
  if (seen.has(path)) return;
  seen.add(path);
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  await cache.put(path, answer.clone());
  const named = path.startsWith("/api/") ? [] : [...(await answer.text()).matchAll(NAMED)];
  await Promise.all(named.map(([, each]) => keep(cache, each, seen)));
}

worker.addEventListener("install", (event) => {
  const seen = /** @type {Set<string>} */ (new Set());
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(SHELL.map((path) => keep(cache, path, seen).catch(() => {})))).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

/** Pages that are kept stand there in another language now: fetch them again. */
async function again() {
  const cache = await caches.open(CACHE);
  const pages = (await cache.keys()).map((request) => new URL(request.url)).filter(({ pathname }) => !/^\/(static|api)\//.test(pathname));
  await Promise.all(pages.map((address) => cache.add(address.href).catch(() => {})));
}
worker.addEventListener("message", (event) => { if (event.data === "language") event.waitUntil(again()); });

/** @param {Request} request @param {boolean} page */
async function fresh(request, page) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic" && !answer.redirected) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    // The day's position of the last day with a connection is better than none; it bears its date.
    const known = await cache.match(request) ?? await cache.match(request, { ignoreSearch: page || new URL(request.url).pathname === "/api/daily" }) ?? (page ? await cache.match("/offline") : undefined);
    if (known) return known;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event, address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== worker.location.origin) return;
  const page = request.mode === "navigate";
  if (page ? !address.pathname.startsWith("/help") : address.pathname.startsWith("/static/") || KEPT.some((kept) => kept.test(address.pathname))) {
    event.respondWith(fresh(request, page));
  }
});

// -- push messages --------------------------------------------------------------------------------------------------
/** @typedef {{kind: string, title: string, body: string, tag: string, path: string, off: string}} Message as `PushMessage` in app/people/pushes.py has it */

/** True if somebody looks at the page that a message is about: they see it there. @param {Message} message */
async function isSeen({ path }) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path);
}

/** @param {Message} message */
async function tell(message) {
  if (await isSeen(message)) return;
  await worker.registration.showNotification(message.title, /** @type {NotificationOptions} */ ({
    body: message.body, tag: message.tag, renotify: true, data: { path: message.path }, icon: "/static/parts/icons/icon-192.png",
    actions: [{ action: "off", title: message.off }],
  }));
}

/** Open the page of a message, or go to it where it is open. @param {string} path */
async function visit(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/** @param {string} path @param {object} body */
const send = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function noMore() {
  const kept = await worker.registration.pushManager.getSubscription();
  if (!kept) return;
  await send("/api/push/unsubscribe", { browser: kept.toJSON() }).catch(() => {});
  await kept.unsubscribe();
}

worker.addEventListener("push", (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(tell(message));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "off" ? noMore() : visit(event.notification.data.path));
});
worker.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription: before } = /** @type {{oldSubscription?: PushSubscription}} */ (/** @type {unknown} */ (event));
  if (!before) return;
  const again = worker.registration.pushManager.subscribe(before.options).then((made) => send("/api/push/renew", { before: before.toJSON(), browser: made.toJSON() }));
  /** @type {ExtendableEvent} */ (event).waitUntil(again.catch(() => {}));
});

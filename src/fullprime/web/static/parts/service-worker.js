// @ts-check
/**
 * The service worker keeps pages for times without a connection: pages, scripts and pictures as they were last loaded,
 * the lessons, the day's position. The answer of the server comes first, so that nothing here is older than need be.
 * Games, accounts and everything that is sent go to the server alone. It also shows the messages that the server
 * pushes: your turn, a challenge.
 */

/** The server puts the version of the pages and their files here: those of one version are kept together. */
const CACHE = "fullprime-VERSION";
const SHELL = [
  "/",
  "/learn",
  "/library",
  "/rules",
  "/real",
  "/house",
  "/offline",
  "/api/options",
  "/api/clocks",
  "/api/learn",
  "/api/daily",
];
/** Answers of the API that are the same for everybody. */
const KEPT = [
  /^\/api\/options$/,
  /^\/api\/clocks$/,
  /^\/api\/learn($|\/lessons\/[^/]+$)/,
  /^\/api\/daily$/,
  /^\/api\/rules$/,
  /^\/api\/glossary/,
];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/**
 * Our files that a page, a sheet or a script names: a page that is kept without its scripts would do nothing.
 */
const NAMED = /"(\/static\/[^"?#]+\.(?:js|css|svg)(?:\?v=\w+)?)"/g;

/** What older versions kept, but for their files. */
async function keptBefore() {
  const names = (await caches.keys()).filter((name) => name !== CACHE);
  const caching = names.map(async (name) => (await caches.open(name)).keys());
  const addresses = (await Promise.all(caching)).flat().map(({ url }) => new URL(url));
  return addresses.map(({ pathname, search }) => pathname + search).filter((path) => !path.startsWith("/static/"));
}

/** Keep a file and all that it names. @param {Cache} cache @param {string} path @param {Set<string>} paths */
async function keep(cache, path, paths) {
  if (paths.has(path)) return;
  paths.add(path);
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  await cache.put(path, answer.clone());
  const named = path.startsWith("/api/") ? [] : [...(await answer.text()).matchAll(NAMED)];
  await Promise.all(named.map(([, name]) => keep(cache, name, paths)));
}

worker.addEventListener("install", (event) => {
  const paths = /** @type {Set<string>} */ (new Set());
  event.waitUntil(
    Promise.all([caches.open(CACHE), keptBefore()])
      .then(([cache, before]) =>
        Promise.all([...SHELL, ...before].map((path) => keep(cache, path, paths).catch(() => {}))),
      )
      .then(() => worker.skipWaiting()),
  );
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

/** Fetch the pages that are kept again, after a change of language. */
async function refreshPages() {
  const cache = await caches.open(CACHE);
  const pages = (await cache.keys())
    .map((request) => new URL(request.url))
    .filter(({ pathname }) => !/^\/(static|api)\//.test(pathname));
  await Promise.all(pages.map((address) => cache.add(address.href).catch(() => {})));
}
worker.addEventListener("message", (event) => {
  if (event.data === "language") event.waitUntil(refreshPages());
});

/** @param {Request} request @param {boolean} page */
async function fetchFresh(request, page) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic" && !answer.redirected) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    // The day's position of the last day with a connection is better than none; it bears its date.
    const cached =
      (await cache.match(request)) ??
      (await cache.match(request, { ignoreSearch: page || new URL(request.url).pathname === "/api/daily" })) ??
      (page ? await cache.match("/offline") : undefined);
    if (cached) return cached;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== worker.location.origin) return;
  const page = request.mode === "navigate";
  if (
    page
      ? !address.pathname.startsWith("/help")
      : address.pathname.startsWith("/static/") || KEPT.some((pattern) => pattern.test(address.pathname))
  ) {
    event.respondWith(fetchFresh(request, page));
  }
});

// -- push messages --------------------------------------------------------------------------------------------------
/**
 * @typedef {{kind: string, title: string, body: string, tag: string, path: string, off: string}} Message as `Notification` in accounts/notifications.py sends it
 */

/** True if the page that a message is about is in sight: its player sees the news there. @param {Message} message */
async function isSeen({ path }) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path);
}

/** @param {Message} message */
async function showMessage(message) {
  if (await isSeen(message)) return;
  await worker.registration.showNotification(
    message.title,
    /** @type {NotificationOptions} */ ({
      body: message.body,
      tag: message.tag,
      renotify: true,
      data: { path: message.path },
      icon: "/static/parts/icons/icon-192.png",
      actions: [{ action: "off", title: message.off }],
    }),
  );
}

/** Open the page of a message, or go to it where it is open. @param {string} path */
async function visit(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === path);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/** @param {string} path @param {object} body */
const send = (path, body) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function unsubscribe() {
  const subscription = await worker.registration.pushManager.getSubscription();
  if (!subscription) return;
  await send("/api/push/unsubscribe", { browser: subscription.toJSON() }).catch(() => {});
  await subscription.unsubscribe();
}

worker.addEventListener("push", (event) => {
  const message = event.data?.json();
  if (message) event.waitUntil(showMessage(message));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "off" ? unsubscribe() : visit(event.notification.data.path));
});
worker.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription: before } = /** @type {{oldSubscription?: PushSubscription}} */ (
    /** @type {unknown} */ (event)
  );
  if (!before) return;
  const again = worker.registration.pushManager
    .subscribe(before.options)
    .then((browser) => send("/api/push/renew", { before: before.toJSON(), browser: browser.toJSON() }));
  /** @type {ExtendableEvent} */ (event).waitUntil(again.catch(() => {}));
});

// The page without a network, once it was loaded. VERSION and FILES are filled in by build.mjs: another deployment is
// another version, which is fetched and takes the place of this one. What not every visitor needs (pictures, the page
// of reports, fonts of equations) is kept once it was asked for.
const version = "VERSION";
const files = FILES;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(version);
    await cache.addAll(files.map((name) => new Request(name, { cache: "reload" })));
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const replace = async () => {
    for (const name of await caches.keys()) if (name.startsWith("hamel-") && name !== version) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(replace());
});

// What the page had already loaded when this began.
self.addEventListener("message", (event) => {
  const keep = async () => (await caches.open(version)).addAll(event.data.keep);
  event.waitUntil(keep());
});

// What belongs to the page comes from its own version; everything else is none of its business.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(version);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  };
  event.respondWith(answer());
});

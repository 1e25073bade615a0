// Models that live in other pages, such as those of the site. Once one is seen, its picture gives way to its motion with
// sliders, and a text to an editor with the motion beside it; where that fails, they stay.
//   <div class="live" data-model="heavy-top"><img ...><template>the model file</template></div>
//   <div class="live"><pre>the model file</pre></div>
const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("live.css", import.meta.url).href;

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      document.head.append(style);
      void import("./living").then(({ Living }) => new Living(target as HTMLElement));
    }
  },
  { rootMargin: "200px" },
);
for (const holder of document.querySelectorAll(".live")) seen.observe(holder);

export {};

/** What the theme shows above the text of docs/README.md, which stays plain Markdown for readers on GitHub. */
export const frontPage = {
  layout: "home",
  hero: {
    name: "Tollgate",
    text: "An LLM gateway inside your own server",
    tagline: "Your keys, prepaid balances, terms, limits and providers, behind the APIs that every client speaks.",
    image: { src: "/logo.svg", alt: "" },
    actions: [
      { theme: "brand", text: "Get started", link: "/guides/quick-start" },
      { theme: "alt", text: "Clients", link: "/guides/clients" },
      { theme: "alt", text: "Compared with others", link: "/comparison" },
    ],
  },
};

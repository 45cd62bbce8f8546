/** Returns the page of Stripe on which the customer pays: `location.href = await buy("credit-10")` on a page of your site. */
export async function buy(product: string): Promise<string> {
  const response = await fetch("/payments/checkout", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ product }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer.url;
}

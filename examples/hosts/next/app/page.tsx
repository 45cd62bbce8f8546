export default function Page() {
  return <h1>The shop</h1>;
}

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
const headers = { Authorization: `Bearer ${process.env.FORGE_AGENT_KEY}` };
const client = new Client({ name: "clients", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.FORGE_URL), { requestInit: { headers } }));
const { tools } = await client.listTools();
const called = await client.callTool({ name: "agents_me", arguments: {} });
const { messages } = await client.getPrompt({ name: "start_work", arguments: { issue: "DEMO-12" } });
const { contents } = await client.readResource({ uri: "forge://workspace" });
const { prompts } = await client.listPrompts();
const { resourceTemplates } = await client.listResourceTemplates();
console.log(
  JSON.stringify({
    tools: tools.map((tool) => tool.name),
    answer: called.content[0].text,
    prompts: prompts.map((prompt) => prompt.name),
    prompt: messages[0].content.text,
    templates: resourceTemplates.map((template) => template.uriTemplate),
    resource: contents[0].text,
  }),
);
await client.close();

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const headers = { Authorization: `Bearer ${process.env.FORGE_AGENT_KEY}` };
const client = new Client({ name: "clients", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.FORGE_URL), { requestInit: { headers } }));
const { tools } = await client.listTools();
const called = await client.callTool({ name: "agents_me", arguments: {} });
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), answer: called.content[0].text }));
await client.close();

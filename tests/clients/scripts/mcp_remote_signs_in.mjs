import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const args = ["node_modules/.bin/mcp-remote", process.env.FORGE_URL, "--allow-http", "--transport", "http-only"];
const client = new Client({ name: "clients", version: "1" });
await client.connect(new StdioClientTransport({ command: "node", args, stderr: "inherit", env: process.env }));
const called = await client.callTool({ name: "issues_create", arguments: { title: process.env.FORGE_TITLE } });
console.log(called.content[0].text);
await client.close();

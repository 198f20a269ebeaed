/** Connects this page with the one that has its link. */

import { Door } from "./door.js";
import { randomKey, secretsOf } from "./envelopes.js";

const element = (id) => document.getElementById(id);
const show = (state) => (element("state").value = state);
const log = (line) => element("log").append(line, "\n");

const given = new URLSearchParams(location.hash.slice(1));
const isGuest = given.has("key");
const link = {
  key: given.get("key") ?? randomKey(),
  door: given.get("door") ?? "http://127.0.0.1:8090",
  token: given.get("token") ?? "",
};

/** Every candidate is in the description then: one envelope carries both. */
function gathered(peer) {
  return new Promise((done) => {
    const look = () => peer.iceGatheringState === "complete" && done();
    peer.addEventListener("icegatheringstatechange", look);
    look();
  });
}

async function described(peer, description) {
  await peer.setLocalDescription(description);
  await gathered(peer);
  return peer.localDescription.toJSON();
}

function use(channel) {
  channel.addEventListener("message", (event) => log(`They: ${event.data}`));
  channel.addEventListener("close", () => show("closed"));
  const opened = () => {
    show("connected");
    element("text").disabled = element("send").disabled = false;
  };
  channel.addEventListener("open", opened);
  if (channel.readyState === "open") {
    opened();
  }
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    channel.send(element("text").value);
    log(`I: ${element("text").value}`);
    element("text").value = "";
  });
}

function invite() {
  const hash = new URLSearchParams(link);
  element("link").href = `#${hash}`;
  element("link").textContent = element("link").href;
  element("invitation").hidden = false;
  show("waiting for the other browser");
}

async function host(door, secrets, peer) {
  use(peer.createDataChannel("messages"));
  invite();
  await door.take(secrets.key, secrets.host);
  await door.post(secrets.key, secrets.guest, await described(peer, await peer.createOffer()));
  await peer.setRemoteDescription(await door.take(secrets.key, secrets.host));
}

async function guest(door, secrets, peer) {
  peer.addEventListener("datachannel", (event) => use(event.channel));
  show("waiting for the offer");
  await door.post(secrets.key, secrets.host, { type: "hello" });
  await peer.setRemoteDescription(await door.take(secrets.key, secrets.guest));
  await door.post(secrets.key, secrets.host, await described(peer, await peer.createAnswer()));
}

try {
  const door = new Door(link.door, link.token);
  const secrets = await secretsOf(link.key);
  const peer = new RTCPeerConnection({ iceServers: [] });
  await (isGuest ? guest : host)(door, secrets, peer);
} catch (error) {
  show(`failed: ${error.message}`);
}

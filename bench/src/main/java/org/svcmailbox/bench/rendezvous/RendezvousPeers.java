package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.bench.contestant.ElasticMqContestant;
import org.svcmailbox.bench.contestant.EmptyServlet;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.http.SqsProtocol;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.rendezvous.RendezvousPeer.Talk;

/** The alternatives to the rendezvous door. */
final class RendezvousPeers {
  private static final Path NCHAN = Path.of("/usr/lib/nginx/modules/ngx_nchan_module.so");
  private static final Path WORMHOLE =
      Path.of("/usr/lib/python3/dist-packages/wormhole_mailbox_server");
  private static final Path PIPING =
      Path.of("bench/target/piping-server/node_modules/piping-server/dist/src/index.js");
  private static final String BODY = new String(LoadPayload.bytes(), StandardCharsets.ISO_8859_1);
  private static final Pattern RECEIPT = Pattern.compile("\"ReceiptHandle\":\"([^\"]+)\"");

  private RendezvousPeers() {}

  /** All peers, installed or not. */
  static List<RendezvousPeer> all() {
    return List.of(
        new RendezvousPeer(
            "servlet",
            "empty servlet",
            0.6,
            Path.of(ChildProcesses.java()),
            "a JDK",
            (port, directory) ->
                new ProcessBuilder(ChildProcesses.jvm(EmptyServlet.class, Integer.toString(port))),
            postAndGet()),
        new RendezvousPeer(
            "nchan",
            "Nchan",
            0.5,
            NCHAN,
            "apt-get install libnginx-mod-nchan",
            RendezvousPeers::nginx,
            postAndGet()),
        new RendezvousPeer(
            "elasticmq",
            "ElasticMQ",
            1.3,
            ElasticMqContestant.CLASS_PATH,
            "./bench/run fetches it",
            (port, directory) -> new ElasticMqContestant(false, directory).process(directory, port),
            RendezvousPeers::elasticMq),
        new RendezvousPeer(
            "piping",
            "piping-server",
            2,
            PIPING,
            "./bench/run fetches it where npm is installed",
            (port, directory) ->
                new ProcessBuilder(
                    "node", PIPING.toString(), "--host", "127.0.0.1", "--http-port", "" + port),
            RendezvousPeers::piping),
        new RendezvousPeer(
            "wormhole",
            "magic-wormhole",
            5,
            WORMHOLE,
            "apt-get install python3-magic-wormhole-mailbox-server",
            (port, directory) ->
                new ProcessBuilder(
                        "twist3",
                        "--log-level=warn",
                        "wormhole-mailbox",
                        "--port=tcp:" + port + ":interface=127.0.0.1",
                        "--channel-db=:memory:")
                    .directory(directory.toFile()),
            (server, mailbox, number) -> new WormholeDialogue(mailbox)));
  }

  /** POST and GET of the same path in turn. */
  static Talk postAndGet() {
    return (server, mailbox, number) ->
        HttpDialogue.repeating(List.of(HttpCall.post(mailbox, "", BODY), HttpCall.get(mailbox)));
  }

  /** Sends, receives and deletes in a queue of the connection alone. */
  private static Dialogue elasticMq(URI server, String mailbox, int number) {
    String queue = mailbox.substring(mailbox.length() - 64).replaceFirst("^0+", "q");
    String url = "{\"QueueUrl\":\"" + server + "/000000000000/" + queue + "\"";
    HttpCall send = sqs("SendMessage", url + ",\"MessageBody\":\"" + LoadPayload.BASE64 + "\"}");
    HttpCall receive = sqs("ReceiveMessage", url + "}");
    return new HttpDialogue(
        (call, answer) ->
            call == 0
                ? sqs("CreateQueue", "{\"QueueName\":\"" + queue + "\"}")
                : switch (call % 3) {
                  case 1 -> send;
                  case 2 -> receive;
                  default -> sqs("DeleteMessage", url + receipt(answer)).last();
                });
  }

  private static String receipt(String answer) {
    Matcher receipt = RECEIPT.matcher(answer);
    if (!receipt.find()) {
      throw new IllegalStateException("no message in " + answer);
    }
    return ",\"ReceiptHandle\":\"" + receipt.group(1) + "\"}";
  }

  private static HttpCall sqs(String operation, String json) {
    return HttpCall.post("/", SqsProtocol.headers(operation), json);
  }

  /** Connections in pairs: one posts what the other gets, and each waits for the other. */
  private static Dialogue piping(URI server, String mailbox, int number) {
    String own = mailbox.substring(0, mailbox.length() - 8);
    return new HttpDialogue(
        (call, answer) -> {
          String path = "%s%04x%04x".formatted(own, number / 2, call % 0x10000);
          return number % 2 == 0 ? HttpCall.post(path, "", BODY) : HttpCall.get(path);
        });
  }

  /** Keeps the last message of a channel, which a GET without a position gets. */
  private static ProcessBuilder nginx(int port, Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("nginx.conf"),
            """
            load_module %s;
            daemon off;
            worker_processes auto;
            pid nginx.pid;
            error_log error.log;
            events { worker_connections 1024; }
            http {
              access_log off;
              keepalive_requests 1000000000;
              server {
                listen 127.0.0.1:%d;
                location ~ ^/v1/mailbox/(\\w+)$ {
                  nchan_channel_id $1;
                  nchan_publisher http;
                  nchan_subscriber longpoll;
                  nchan_message_buffer_length 1;
                  nchan_subscriber_first_message oldest;
                }
              }
            }
            """
                .formatted(NCHAN, port));
    return new ProcessBuilder("nginx", "-p", directory.toString(), "-c", file.toString());
  }
}

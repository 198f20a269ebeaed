package org.svcmailbox.client.cdi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.capability.Capability;
import org.svcmailbox.client.verify.Envelope;

/** The replies of a listener on a mailbox over HTTP. */
class HttpListenerTest {
  /** Of no service. */
  private static final String CAPABILITY =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";

  private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"");

  @TempDir private Path directory;

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  @ApplicationScoped
  static class OfBytes {
    @MailboxListener("orders")
    byte[] ship(Order order) {
      return (order.what() + " shipped").getBytes(UTF_8);
    }
  }

  @Test
  void aReplyGoesWhereTheSettingsAllowWithARightToThatOnly() throws Exception {
    messages.add(order("apples", "others"));
    messages.add(order("pears", "receipts"));
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/v1/", this::answer);
    service.start();
    Map<String, String> settings =
        Map.of(
            "svcmailbox.url",
            "http://127.0.0.1:" + service.getAddress().getPort(),
            "svcmailbox.token-file",
            Files.writeString(directory.resolve("mailbox.cap"), CAPABILITY).toString(),
            "svcmailbox.orders.reply-to",
            "receipts");
    Application application = Application.start(settings, OfBytes.class);
    try {
      assertEquals("nack", calls.poll(10, TimeUnit.SECONDS));
      assertEquals(
          "send pears shipped with [topic = receipts, ops = send]",
          calls.poll(10, TimeUnit.SECONDS));
      assertEquals("ack", calls.poll(10, TimeUnit.SECONDS));
    } finally {
      application.close();
      service.stop(0);
    }
  }

  private static String order(String what, String replyTo) {
    byte[] payload = ("{\"what\":\"" + what + "\"}").getBytes(UTF_8);
    String hash = Envelope.payloadHash(payload);
    String ts = "2026-01-02T03:04:05.678Z";
    Map<String, String> attributes = Map.of("mailbox.reply_to", replyTo);
    String chain = new Envelope("orders", ts, "key", hash, attributes, "").expectedHashChain();
    return """
        {"msg_id":"%s","topic":"orders","ts":"%s","idem_key":"key","payload_hash":"%s",
        "corr_id":"c","attempt":1,"hash_chain":"%s","payload":"%s","receipt":"r",
        "visibility_ms":30000,"attrs":{"mailbox.reply_to":"%s"}}"""
        .formatted(what, ts, hash, chain, Base64.getEncoder().encodeToString(payload), replyTo);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String call = exchange.getRequestURI().getPath().substring("/v1/".length());
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String answer =
        switch (call) {
          case "recv" -> "{\"messages\":[" + received() + "]}";
          case "send" -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            calls.add("send " + payload(body) + " with " + caveats(token));
            yield "{\"msg_id\":\"m1\",\"duplicate\":false}";
          }
          default -> {
            calls.add(call);
            yield "{\"ok\":true}";
          }
        };
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length());
    exchange.getResponseBody().write(answer.getBytes(UTF_8));
    exchange.close();
  }

  /** The next message, or none after a short wait. */
  private String received() {
    try {
      String next = messages.poll(50, TimeUnit.MILLISECONDS);
      return next == null ? "" : next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String payload(String body) {
    Matcher matcher = PAYLOAD.matcher(body);
    return matcher.find()
        ? new String(Base64.getDecoder().decode(matcher.group(1)), UTF_8)
        : "nothing";
  }

  private static List<String> caveats(String authorization) {
    return Capability.parse(authorization.substring("Bearer ".length())).caveats();
  }
}

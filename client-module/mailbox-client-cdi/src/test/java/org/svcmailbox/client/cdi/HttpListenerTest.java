package org.svcmailbox.client.cdi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.listener.HttpMailboxes;
import org.svcmailbox.client.listener.MailboxPoint;
import org.svcmailbox.client.listener.ServiceSettings;
import org.svcmailbox.client.verify.ReceivedEnvelope;

/** Listeners on mailboxes over HTTP: their replies and their connections. */
class HttpListenerTest {
  /** Of no service. */
  private static final String CAPABILITY =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";

  private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"");

  @TempDir private Path directory;

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer service =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

  /** Lets receives go on when so many are out. */
  private @Nullable CyclicBarrier together;

  private @Nullable Application application;

  HttpListenerTest() throws IOException {
    service.createContext("/v1/", this::answer);
    service.setExecutor(threads);
    service.start();
  }

  @AfterEach
  void close() {
    if (application != null) {
      application.close();
    }
    service.stop(0);
    threads.shutdownNow();
  }

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
    start("receipts", OfBytes.class);
    assertEquals("nack", next());
    assertEquals("send pears shipped with [topic = receipts, ops = send]", next());
    assertEquals("ack", next());
  }

  @ApplicationScoped
  static class OfNothing {
    @MailboxListener("orders")
    void ship(Order order) {}
  }

  @Test
  void aListenerThatReturnsNothingNeedsNoMailboxesForReplies() throws Exception {
    messages.add(order("apples", "receipts"));
    start("", OfNothing.class);
    assertEquals("ack", next());
  }

  @Test
  void aListenerReceivesByAStreamWhereTheSettingsSaySo() throws Exception {
    application =
        Application.start(
            Map.of(
                "svcmailbox.url", uri(),
                "svcmailbox.token-file", token().toString(),
                "svcmailbox.streaming", "true"),
            OfNothing.class);
    assertEquals("recv/stream", next());
  }

  @ApplicationScoped
  static class ByHand {
    @MailboxListener("orders")
    void ship(Message<Order, byte[]> message) {
      message.reply("by hand".getBytes(UTF_8));
    }
  }

  @Test
  void aListenerThatReturnsNothingCanReplyByHand() throws Exception {
    messages.add(order("apples", "receipts"));
    start("receipts", ByHand.class);
    assertEquals("send by hand with [topic = receipts, ops = send]", next());
    assertEquals("ack", next());
  }

  @Test
  void closingClosesTheMailboxesAndThoseThatRepliesWentTo() throws Exception {
    messages.add(order("apples", "receipts"));
    ServiceSettings settings =
        new ServiceSettings(
            URI.create(uri()), token(), false, false, Optional.of(Pattern.compile("receipts")));
    HttpMailboxes mailboxes = new HttpMailboxes(name -> settings, 1);
    try (Mailbox<Object, Object> orders =
        mailboxes.open(new MailboxPoint("orders", byte[].class, byte[].class))) {
      Message<Object, Object> message = orders.receive(1, LEASE, PATIENCE).get(0);
      message.reply("first".getBytes(UTF_8));

      mailboxes.close();

      assertThrows(MailboxClosedException.class, () -> message.reply("second".getBytes(UTF_8)));
      assertTrue(orders.isClosed());
    }
  }

  /** More than can wait for messages on as many connections as one mailbox has. */
  @ApplicationScoped
  static class OfMany {
    @MailboxListener("m0")
    void m0(Order order) {}

    @MailboxListener("m1")
    void m1(Order order) {}

    @MailboxListener("m2")
    void m2(Order order) {}

    @MailboxListener("m3")
    void m3(Order order) {}

    @MailboxListener("m4")
    void m4(Order order) {}

    @MailboxListener("m5")
    void m5(Order order) {}

    @MailboxListener("m6")
    void m6(Order order) {}

    @MailboxListener("m7")
    void m7(Order order) {}

    @MailboxListener("m8")
    void m8(Order order) {}

    @MailboxListener("m9")
    void m9(Order order) {}

    @MailboxListener("m10")
    void m10(Order order) {}

    @MailboxListener("m11")
    void m11(Order order) {}

    @MailboxListener("m12")
    void m12(Order order) {}

    @MailboxListener("m13")
    void m13(Order order) {}

    @MailboxListener("m14")
    void m14(Order order) {}

    @MailboxListener("m15")
    void m15(Order order) {}

    @MailboxListener("m16")
    void m16(Order order) {}
  }

  @Test
  void everyListenerHasAConnectionToWaitOn() throws Exception {
    int listeners = HttpConnections.DEFAULT_MAX / 2 + 1;
    together = new CyclicBarrier(listeners);
    start("", OfMany.class);
    for (int i = 0; i < listeners; i++) {
      assertEquals("together", next());
    }
  }

  private void start(String replyTo, Class<?> listener) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("svcmailbox.url", uri());
    settings.put("svcmailbox.token-file", token().toString());
    if (!replyTo.isEmpty()) {
      settings.put("svcmailbox.orders.reply-to", replyTo);
    }
    application = Application.start(settings, listener);
  }

  private String uri() {
    return "http://127.0.0.1:" + service.getAddress().getPort();
  }

  private Path token() throws IOException {
    return Files.writeString(directory.resolve("mailbox.cap"), CAPABILITY);
  }

  private String next() throws InterruptedException {
    return String.valueOf(calls.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  private static String order(String what, String replyTo) {
    byte[] payload = ("{\"what\":\"" + what + "\"}").getBytes(UTF_8);
    String hash = ReceivedEnvelope.payloadHash(payload);
    String ts = "2026-01-02T03:04:05.678Z";
    Map<String, String> attributes = Map.of("mailbox.reply_to", replyTo);
    String chain =
        new ReceivedEnvelope("orders", ts, "key", hash, attributes, "").expectedHashChain();
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
      if (together != null) {
        together.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        calls.add("together");
      }
      String next = messages.poll(50, TimeUnit.MILLISECONDS);
      return next == null ? "" : next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (BrokenBarrierException | TimeoutException e) {
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

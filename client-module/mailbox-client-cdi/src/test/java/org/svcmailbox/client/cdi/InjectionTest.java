package org.svcmailbox.client.cdi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.http.HttpConnections;

/** Mailboxes that are injected. */
class InjectionTest {
  private static final Map<String, String> NOWHERE =
      Map.of("svcmailbox.url", "http://127.0.0.1:1", "svcmailbox.token-file", "none");

  private static final Duration LEASE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @ApplicationScoped
  static class Sender {
    @Inject
    @MailboxName("orders")
    Mailbox<Order, Receipt> orders;

    @Inject
    @MailboxName("orders")
    Mailbox<byte[], Object> bytes;

    @Inject
    @MailboxName("lists")
    Instance<Mailbox<List<Order>, Object>> lists;

    Mailbox<Order, Receipt> orders() {
      return orders;
    }

    Mailbox<byte[], Object> bytes() {
      return bytes;
    }

    Mailbox<List<Order>, Object> lists() {
      return lists.get();
    }
  }

  @Test
  void typesComeFromTheInjectionPoint() throws IOException {
    List<String> payloads = new CopyOnWriteArrayList<>();
    List<String> tokens = new CopyOnWriteArrayList<>();
    HttpServer service = service(payloads, tokens);
    Path token = Files.writeString(directory.resolve("mailbox.cap"), "secret\n");
    Map<String, String> settings =
        Map.of(
            "svcmailbox.url",
            "http://127.0.0.1:" + service.getAddress().getPort(),
            "svcmailbox.token-file",
            token.toString());
    try (Application application = Application.start(settings, Sender.class)) {
      Sender sender = application.get(Sender.class);
      assertEquals("orders", sender.orders().name());
      assertEquals(BackendFeatures.HTTP, sender.orders().features());
      assertEquals("m1", sender.orders().send(new Order("apples")));
      sender.bytes().send("raw".getBytes(UTF_8));
      sender.lists().send(List.of(new Order("pears")));
    } finally {
      service.stop(0);
    }
    assertEquals(List.of("{\"what\":\"apples\"}", "raw", "[{\"what\":\"pears\"}]"), payloads);
    assertEquals(List.of("Bearer secret", "Bearer secret", "Bearer secret"), tokens);
  }

  private static HttpServer service(List<String> payloads, List<String> tokens) throws IOException {
    Pattern payload = Pattern.compile("\"payload\":\"([^\"]*)\"");
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/v1/send",
        exchange -> {
          Matcher matcher =
              payload.matcher(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          assertTrue(matcher.find());
          payloads.add(new String(Base64.getDecoder().decode(matcher.group(1)), UTF_8));
          tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] answer = "{\"msg_id\":\"m1\",\"duplicate\":false}".getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
    return service;
  }

  @ApplicationScoped
  static class OfTheShop {
    @Inject
    @MailboxName("orders")
    Mailbox<Order, Receipt> orders;

    Mailbox<Order, Receipt> orders() {
      return orders;
    }
  }

  @Test
  void whatTheApplicationMakesIsInjectedAndNeedsNoService() {
    try (Application application = Application.start(Map.of(), Shop.class, OfTheShop.class)) {
      assertSame(application.get(Shop.class).orders(), application.get(OfTheShop.class).orders());
    }
  }

  @ApplicationScoped
  static class WildcardPoint {
    @Inject
    @MailboxName("orders")
    Mailbox<Order, ?> orders;
  }

  @ApplicationScoped
  @SuppressWarnings("rawtypes")
  static class RawPoint {
    @Inject
    @MailboxName("orders")
    Mailbox orders;
  }

  @ApplicationScoped
  static class OtherPoint {
    @Inject
    @MailboxName("orders")
    String orders;
  }

  @ApplicationScoped
  static class MisnamedPoint {
    @Inject
    @MailboxName("orders/eu")
    Mailbox<Order, Receipt> orders;
  }

  @Test
  void aWrongInjectionPointFailsTheDeployment() {
    String failure =
        Application.failure(
            NOWHERE, WildcardPoint.class, RawPoint.class, OtherPoint.class, MisnamedPoint.class);
    assertTrue(failure.contains("problems with mailboxes: 4"), failure);
    for (Class<?> type : List.of(WildcardPoint.class, RawPoint.class, OtherPoint.class)) {
      assertTrue(failure.contains(type.getName() + ".orders: must be a Mailbox<T, R>"), failure);
    }
    assertTrue(failure.contains(MisnamedPoint.class.getName() + ".orders: the mailbox's name"));
  }

  /** Room for one receive that waits. */
  @ApplicationScoped
  static class Connections {
    @Produces @Singleton final HttpConnections own = HttpConnections.builder().max(2).build();
  }

  @Test
  void theApplicationsConnectionsAreSharedAndItsEndClosesTheMailboxes() throws Exception {
    BlockingQueue<String> polls = new LinkedBlockingQueue<>();
    CountDownLatch over = new CountDownLatch(1);
    HttpServer service = emptyService(polls, over);
    Path token = Files.writeString(directory.resolve("mailbox.cap"), "secret");
    Map<String, String> settings =
        Map.of(
            "svcmailbox.url",
            "http://127.0.0.1:" + service.getAddress().getPort(),
            "svcmailbox.token-file",
            token.toString());
    Application application = Application.start(settings, Sender.class, Connections.class);
    try {
      Mailbox<Order, Receipt> orders = application.get(Sender.class).orders();
      Thread waiting = new Thread(() -> orders.receive(1, LEASE, Duration.ofSeconds(20)));
      waiting.start();
      assertEquals("poll", polls.poll(10, TimeUnit.SECONDS));
      assertEquals(
          List.of(),
          application.get(Sender.class).bytes().receive(1, LEASE, Duration.ofMillis(100)));
      assertTrue(polls.isEmpty(), "a second poll had a connection");

      application.close();
      waiting.join(Duration.ofSeconds(10).toMillis());
      assertFalse(waiting.isAlive(), "the receive did not end");
    } finally {
      over.countDown();
      service.stop(0);
    }
  }

  /** Has no messages, and holds every receive until it is over. */
  private static HttpServer emptyService(BlockingQueue<String> polls, CountDownLatch over)
      throws IOException {
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/v1/recv",
        exchange -> {
          polls.add("poll");
          try {
            over.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    service.start();
    return service;
  }
}

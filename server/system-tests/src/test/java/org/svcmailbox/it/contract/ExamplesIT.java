package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;

/** The examples, and the program that the client's documentation begins with. */
@Order(1)
@ContractTest
class ExamplesIT {
  private static final String ORDERS = "org.svcmailbox.examples.orders.";
  private static final String PRICES = "org.svcmailbox.examples.prices.";
  private static final Pattern FIRST_PROGRAM =
      Pattern.compile("```java\n([^`]*class Hello [^`]*)```");

  private final MailboxClient client;

  @TempDir private Path directory;

  ExamplesIT(MailboxClient client) {
    this.client = client;
  }

  private ExampleProgram start(String example, String... program) {
    return ExampleProgram.start(example, client.target(), directory, program);
  }

  @Test
  void aWorkerShipsWhatAProducerSends() throws IOException {
    try (ExampleProgram first = start("producer-worker", ORDERS + "Producer", "3")) {
      assertEquals("Order[item=apples, count=3] is sent", first.awaitEnd().get(2));
    }
    try (ExampleProgram worker = start("producer-worker", ORDERS + "Worker");
        ExampleProgram second = start("producer-worker", ORDERS + "Producer", "4")) {
      List<String> sent = second.awaitEnd();
      assertEquals("Order[item=apples, count=3] was sent before", sent.get(2));
      assertEquals("Order[item=apples, count=4] is sent", sent.get(3));
      for (int count = 1; count <= 4; count++) {
        worker.awaitLine("Order[item=apples, count=" + count + "] is shipped");
      }
      assertEquals(4, worker.interrupt().stream().filter(line -> line.endsWith("shipped")).count());
    }
    assertEmpty("example-orders");
  }

  /** Each order is shipped once: what the first worker holds at its end is settled or back. */
  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  void aWorkerThatIsEndedUnderLoadKeepsNoOrderAndLosesNone() throws Exception {
    AtomicInteger sent = new AtomicInteger();
    try (Mailbox<Object, Object> orders = mailbox("example-orders");
        ExampleProgram first = start("producer-worker", ORDERS + "Worker")) {
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(() -> sendUntil(enough, orders, sent));
      List<String> shipped;
      try {
        first.awaitLine(shipped(100));
        shipped = new ArrayList<>(shipped(first.interrupt()));
        assertEquals(0, client.topic("example-orders").expect(200).json().path("inflight").asInt());
      } finally {
        enough.set(true);
        load.join();
      }
      try (ExampleProgram second = start("producer-worker", ORDERS + "Worker")) {
        Deadline.in(Duration.ofSeconds(60))
            .await(() -> orders.approximateCount() == 0, () -> "all orders are shipped");
        shipped.addAll(shipped(second.interrupt()));
      }
      assertEquals(
          IntStream.rangeClosed(1, sent.get()).mapToObj(ExamplesIT::shipped).sorted().toList(),
          shipped.stream().sorted().toList());
    }
    assertEmpty("example-orders");
  }

  private Mailbox<Object, Object> mailbox(String topic) {
    return HttpMailbox.builder(
            client.target().server(),
            TokenSource.of(String.valueOf(client.target().token().get())),
            topic,
            Codecs.json(Object.class),
            Codecs.json(Object.class))
        .build();
  }

  private static void sendUntil(
      AtomicBoolean enough, Mailbox<Object, Object> orders, AtomicInteger sent) {
    while (!enough.get()) {
      orders
          .sendAll(
              IntStream.rangeClosed(sent.get() + 1, sent.get() + 10)
                  .mapToObj(count -> Outgoing.of((Object) Map.of("item", "pears", "count", count)))
                  .toList())
          .forEach(SendResult::orThrow);
      sent.addAndGet(10);
    }
  }

  private static String shipped(int count) {
    return "Order[item=pears, count=" + count + "] is shipped";
  }

  private static List<String> shipped(List<String> lines) {
    return lines.stream().filter(line -> line.endsWith("is shipped")).toList();
  }

  /** The listener of a Spring Boot application ships what was there before it and what comes. */
  @Test
  void aSpringBootApplicationShips() throws IOException {
    try (Mailbox<Object, Object> orders = mailbox("spring-orders");
        ExampleProgram shop =
            start("spring-boot", "org.svcmailbox.examples.spring.Shop", "--server.port=0")) {
      orders.send(Map.of("item", "apples", "count", 2));
      shop.awaitLine("Order[item=apples, count=2] is shipped");
      Deadline.in(Duration.ofSeconds(10))
          .await(() -> orders.approximateCount() == 0, () -> "the order is acknowledged");
      List<String> unused = shop.interrupt();
    }
    assertEmpty("spring-orders");
  }

  @Test
  void aCustomerGetsAnswers() throws IOException {
    try (ExampleProgram customer =
            start("request-reply", PRICES + "Customer", "alice", "apples", "pears");
        ExampleProgram service = start("request-reply", PRICES + "PriceService")) {
      service.awaitLine("waiting for questions");
      assertEquals(
          List.of("apples: 60", "pears: 50"), customer.awaitEnd().stream().sorted().toList());
      List<String> unused = service.interrupt();
    }
    assertEmpty("example-prices");
    assertEmpty("example-prices-alice");
  }

  @Test
  void theFirstProgramOfTheDocumentationRuns() throws IOException {
    Path document = ExampleProgram.example("../docs/CLIENT.md");
    Matcher program = FIRST_PROGRAM.matcher(Files.readString(document));
    if (!program.find()) {
      throw new AssertionError("no program in " + document);
    }
    String here = client.target().server().toString();
    Path source =
        Files.writeString(
            directory.resolve("Hello.java"),
            program.group(1).replace("http://127.0.0.1:8080", here));
    String token = ExampleProgram.token(client.target(), directory).toString();
    try (ExampleProgram hello = start("producer-worker", source.toString(), token)) {
      hello.awaitLine("shipping Order[item=apples, count=2]");
      List<String> unused = hello.interrupt();
    }
    assertEmpty("hello");
  }

  /** Nothing is left of what the programs handled. */
  private void assertEmpty(String topic) throws IOException {
    JsonNode state = client.topic(topic).expect(200).json();
    assertEquals(0, state.path("ready").asInt(-1), state::toString);
    assertEquals(0, state.path("inflight").asInt(-1), state::toString);
    assertEquals(0, state.path("dlq").asInt(-1), state::toString);
  }
}

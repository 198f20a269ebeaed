package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.MailboxClient;

/** The examples, and the program that the client's documentation begins with. */
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

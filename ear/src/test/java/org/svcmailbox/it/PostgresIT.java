package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Together;
import org.svcmailbox.test.process.PostgresServer;

/** The same server with PostgreSQL beside it instead of the embedded database. */
class PostgresIT {
  private static PostgresServer database;
  private static MailboxServer server;

  @BeforeAll
  static void start() {
    database = PostgresServer.start();
    server = MailboxServer.start("postgres", database.settings());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (database != null) {
      database.close();
    }
  }

  @Test
  void aStoppedServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    RestartScenario.everythingIsThere(
        server, () -> assertEquals(0, server.terminate(), "exit code"));
  }

  @Test
  void aKilledServerHasItsTopicsMessagesAttemptsAndKeys() throws IOException {
    RestartScenario.everythingIsThere(server, server::kill9);
    assertFalse(Files.exists(server.data().resolve("mailbox/mailbox.db")), "an embedded database");
  }

  @Test
  void concurrentDuplicatesAreOneMessageAndOneEntry() throws Exception {
    MailboxClient client = new MailboxClient(server.target());
    String topic = TestTopics.fresh("duplicates");
    List<MailboxAnswer> answers = Together.run(50, () -> client.send(topic, "key", new byte[10]));
    assertEquals(1, answers.stream().map(answer -> answer.expect(200).msgId()).distinct().count());
    assertEquals(1, answers.stream().filter(answer -> !answer.duplicate()).count());
    assertEquals(1, client.topic(topic).expect(200).json().path("ready").asInt());
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet pages =
            statement.executeQuery(
                "select length(entries) from ledger_page p join topic t on t.id = p.topic_id"
                    + " where t.name = '"
                    + topic
                    + "'")) {
      assertTrue(pages.next());
      assertEquals(80, pages.getInt(1), "bytes of one entry");
      assertFalse(pages.next());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPasswordThatTheServerWouldReadAsAnExpressionIsSaidInOneLineAndTheServerEnds() {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.put("MAILBOX_DB_PASSWORD", "${user.home}");
    AssertionError failure =
        assertThrows(AssertionError.class, () -> MailboxServer.start("no-postgres", settings));
    assertEquals(
        List.of(
            "the server ended while starting", "mailbox: MAILBOX_DB_PASSWORD must not contain ${"),
        String.valueOf(failure.getMessage()).lines().toList());
  }
}

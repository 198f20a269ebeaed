package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.BreakingProxy.Fault;

/**
 * A stream of two messages that is cut behind each byte of its answer. A client that knows the
 * stream goes on with it, and gets what it has not got with the attempt unspent.
 */
@ContractTest
class StreamCutIT {
  private static final int MESSAGES = 2;

  /** Of a message's lease, where the client never learns which stream it is. */
  private static final int SHORT_MILLIS = 250;

  private static final int LONG_MILLIS = 60_000;
  private static final Duration SOON = Duration.ofSeconds(20);

  private final MailboxServer server;
  private final MailboxClient client;
  private final BreakingProxy proxy;

  /** One at a time: the metrics page has room for so many. */
  private String topic = TestTopics.fresh("cut");

  StreamCutIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
    this.proxy = new BreakingProxy(server.target().server().getPort());
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void aCutLosesNothingAndSpendsNothing() throws IOException {
    cutBehindEach(/* bytes= */ 13);
  }

  @Test
  @Tag("nightly")
  void aCutBehindAnyByteLosesNothingAndSpendsNothing() throws IOException {
    cutBehindEach(/* bytes= */ 1);
  }

  private void cutBehindEach(int bytes) throws IOException {
    int cuts = 0;
    boolean isBroken = true;
    for (int at = 1; isBroken; at += bytes) {
      isBroken = cutBehind(at);
      cuts++;
    }
    int most = cuts;
    assertTrue(cuts * bytes > 1_000, () -> "only " + most);
  }

  /** Returns whether the answer was that long. */
  private boolean cutBehind(int bytes) throws IOException {
    for (int i = 0; i < MESSAGES; i++) {
      client.send(topic, TestTopics.fresh("key"), new byte[] {(byte) i}).expect(200);
    }
    Fields request = Fields.of("topic", topic).with("visibility_ms", LONG_MILLIS);
    proxy.breakNext(Fault.CUT, bytes);
    boolean isKnown;
    List<Message> got = new ArrayList<>();
    try (MessageStream cut = open(request)) {
      while (got.size() < MESSAGES && add(cut, got)) {
        // The next line.
      }
      isKnown = !cut.id().isEmpty();
      if (isKnown) {
        goOn(request.with("resume", cut.resume()), got);
      }
    }
    if (isKnown) {
      assertEquals(List.of(1, 1), got.stream().map(Message::attempt).toList(), "at " + bytes);
      assertSettled(got);
    } else {
      client.deleteTopic(topic).expect(200);
      topic = TestTopics.fresh("cut");
    }
    return proxy.hasBroken();
  }

  private MessageStream open(Fields request) throws IOException {
    return MessageStream.open(server.target(), proxy.port(), request);
  }

  private static boolean add(MessageStream stream, List<Message> got) throws IOException {
    JsonNode line = stream.next();
    if (line != null && line.path("type").asText().equals("message")) {
      got.add(new Message(line.path("message")));
    }
    return line != null;
  }

  private void goOn(Fields request, List<Message> got) throws IOException {
    try (MessageStream stream = MessageStream.open(server.target(), request)) {
      assertEquals(200, stream.status());
      stream.next("open");
      got.addAll(stream.messages(MESSAGES - got.size()));
    }
  }

  private void assertSettled(List<Message> got) throws IOException {
    Set<String> ids = new HashSet<>();
    for (Message message : got) {
      assertTrue(message.isIntact());
      ids.add(message.msgId());
    }
    assertEquals(MESSAGES, ids.size());
    client
        .ackBatch(got)
        .expect(200)
        .results()
        .forEach(one -> assertEquals("", one.path("code").asText()));
    assertEquals(List.of(), client.recv(topic).messages());
  }

  @Test
  void aClientThatNeverLearnsItsStreamGetsTheMessagesWhenTheirLeasesHaveRunOut()
      throws IOException {
    client.send(topic, "key", new byte[1]).expect(200);
    Fields request = Fields.of("topic", topic).with("visibility_ms", SHORT_MILLIS);
    proxy.breakNext(Fault.CUT, 20);
    try (MessageStream cut = open(request)) {
      assertEquals(0, cut.status());
    }
    List<Message> again = new ArrayList<>();
    Deadline.in(SOON)
        .await(
            () -> again.addAll(client.recv(request.with("wait_ms", 1_000)).messages()),
            () -> "the message is lost");
    assertTrue(again.get(0).attempt() <= 2);
  }
}

package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.history.CallOutcome;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Event.ShardPlace;
import org.svcmailbox.test.history.Event.Verb;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/**
 * A client whose every call is entered in a history. Calls that fail are no exceptions here: a
 * server that is killed now and then is what this is for.
 */
final class RecordedClient {
  private static final int OK = 200;
  private static final int UNAUTHENTICATED = 401;
  private static final int UNAVAILABLE = 503;

  /**
   * Permitted answers of a server that runs, is full, or starts or ends without its application.
   */
  private static final Set<Integer> EXPECTED = Set.of(OK, 404, 410, 429, UNAVAILABLE);

  private final List<MailboxClient> nodes;
  private final AtomicInteger turn = new AtomicInteger();
  private final HistoryRecorder recorder;
  private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
  private final Queue<String> altered = new ConcurrentLinkedQueue<>();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private volatile boolean away;

  RecordedClient(MailboxClient client, HistoryRecorder recorder) {
    this(List.of(client), recorder);
  }

  /**
   * @param nodes called in turn
   */
  RecordedClient(List<MailboxClient> nodes, HistoryRecorder recorder) {
    this.nodes = List.copyOf(nodes);
    this.recorder = recorder;
  }

  private interface Exchange {
    MailboxAnswer answer(MailboxClient client) throws IOException;
  }

  /** Answers that no server should give to a well-formed call. */
  List<String> surprises() {
    return surprises.stream().toList();
  }

  /** Received messages whose digests are not those of their content. */
  List<String> altered() {
    return altered.stream().toList();
  }

  /** How many SENDs were answered with an id. */
  long accepted() {
    return accepted.sum();
  }

  /** How many calls were answered 401, in place of being done. */
  long denied() {
    return denied.sum();
  }

  /** Whether the last call found no server, or one that answered 503. */
  boolean isAway() {
    return away;
  }

  /** Sends one message. */
  CallOutcome send(Letter letter) {
    Call<Accepted> call = recorder.send(letter.topic(), letter.key(), letter.hash());
    MailboxAnswer answer = answer(List.of(call), client -> client.send(letter.fields()));
    if (answer != null) {
      call.ok(new Accepted(answer.msgId(), answer.duplicate()));
      accepted.increment();
      return CallOutcome.OK;
    }
    return CallOutcome.UNKNOWN;
  }

  /** Sends some together; returns those that are not known to be accepted. */
  List<Letter> sendBatch(List<Letter> letters) {
    List<Call<Accepted>> calls =
        letters.stream()
            .map(letter -> recorder.send(letter.topic(), letter.key(), letter.hash()))
            .toList();
    List<Fields> fields = letters.stream().map(Letter::fields).toList();
    MailboxAnswer answer = answer(calls, client -> client.sendBatch(fields));
    if (answer == null) {
      return letters;
    }
    List<Letter> open = new ArrayList<>();
    for (int i = 0; i < letters.size(); i++) {
      JsonNode result = answer.results().get(i);
      if (!end(calls.get(i), result, accepted(result))) {
        open.add(letters.get(i));
      }
    }
    accepted.add((long) letters.size() - open.size());
    return open;
  }

  /** Receives; nothing when there is no answer. */
  List<Message> recv(LoadTopic topic, Duration visibility, int most, Duration wait) {
    Call<List<Handed>> call = recorder.recv(topic.name(), visibility);
    Fields request =
        Fields.of("topic", topic.name())
            .with("visibility_ms", visibility.toMillis())
            .with("max_messages", most)
            .with("wait_ms", wait.toMillis());
    MailboxAnswer answer = answer(List.of(call), client -> client.recv(request));
    if (answer == null) {
      return List.of();
    }
    List<Message> messages = answer.messages();
    call.ok(messages.stream().map(RecordedClient::handed).toList());
    messages.stream().filter(one -> !one.isIntact()).forEach(one -> altered.add(one.msgId()));
    return messages;
  }

  void ack(Message message) {
    Call<Verb> call = recorder.ack(message.msgId(), message.receipt());
    if (answer(List.of(call), client -> client.ack(message)) != null) {
      call.ok(Verb.ACK);
    }
  }

  void ackBatch(List<Message> messages) {
    List<Call<Verb>> calls =
        messages.stream().map(message -> recorder.ack(message.msgId(), message.receipt())).toList();
    MailboxAnswer answer = answer(calls, client -> client.ackBatch(messages));
    for (int i = 0; answer != null && i < calls.size(); i++) {
      JsonNode result = answer.results().get(i);
      end(calls.get(i), result, result.path("ok").asBoolean() ? Verb.ACK : null);
    }
  }

  void nack(Message message, Fields how) {
    Call<Verb> call = recorder.nack(message.msgId(), message.receipt());
    if (answer(List.of(call), client -> client.nack(message, how)) != null) {
      call.ok(Verb.NACK);
    }
  }

  void extend(Message message, Duration visibility) {
    Call<Verb> call = recorder.extend(message.msgId(), message.receipt(), visibility);
    if (answer(List.of(call), client -> client.extend(message, visibility)) != null) {
      call.ok(Verb.EXTEND);
    }
  }

  /** The answer when it is 200; otherwise ends the calls and returns null. */
  private @Nullable MailboxAnswer answer(List<? extends Call<?>> calls, Exchange exchange) {
    try {
      int node = Math.floorMod(turn.getAndIncrement(), nodes.size());
      MailboxAnswer answer = exchange.answer(nodes.get(node));
      away = answer.status() == UNAVAILABLE;
      if (answer.status() == OK) {
        return answer;
      }
      if (answer.status() == UNAUTHENTICATED && "revoked".equals(answer.reason())) {
        denied.increment();
      } else if (!EXPECTED.contains(answer.status())) {
        surprises.add(answer.status() + " " + answer.text());
      }
      calls.forEach(call -> end(call, isUnknown(answer.status())));
    } catch (ConnectException e) {
      // No server was there to do it.
      away = true;
      calls.forEach(Call::fail);
    } catch (IOException e) {
      calls.forEach(Call::unknown);
    }
    return null;
  }

  private static <A> boolean end(Call<A> call, JsonNode result, @Nullable A answer) {
    if (answer != null) {
      call.ok(answer);
      return true;
    }
    end(call, isUnknown(result.path("error").path("status").asInt()));
    return false;
  }

  private static void end(Call<?> call, boolean unknown) {
    if (unknown) {
      call.unknown();
    } else {
      call.fail();
    }
  }

  private static boolean isUnknown(int status) {
    return status >= 500;
  }

  private static @Nullable Accepted accepted(JsonNode result) {
    return result.has("msg_id")
        ? new Accepted(result.path("msg_id").asText(), result.path("duplicate").asBoolean())
        : null;
  }

  /** A message as the history has it. */
  static Handed handed(Message message) {
    return new Handed(
        message.msgId(),
        message.idemKey(),
        message.actualHash(),
        message.attempt(),
        message.receipt(),
        Letter.isDelayed(message.idemKey())
            ? null
            : new ShardPlace(message.shard(), message.seq()));
  }
}

package org.svcmailbox.it.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/**
 * A client of streams that breaks them, goes on with most of them, and does with messages what
 * clients do. Each message that came is a RECV of the history, which began when its stream opened.
 * A stream that nobody goes on with is one more, without an answer. One thread.
 */
final class StreamReceiver implements Runnable {
  private static final int WINDOW = 20;
  private static final int MOST_OF_A_STREAM = 60;
  private static final Duration LAST_VISIBILITY = Duration.ofSeconds(3);
  private static final Duration AWAY = Duration.ofMillis(250);
  private static final List<Duration> VISIBILITIES =
      List.of(Duration.ofMillis(600), Duration.ofSeconds(3));

  private final DoorStream.Door door;
  private final LoadTopic topic;
  private final HistoryRecorder recorder;
  private final Random random;
  private final Queue<String> altered = new ConcurrentLinkedQueue<>();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder received = new LongAdder();
  private volatile boolean draining;
  private volatile boolean ending;

  /** The end of the last stream, if it may be gone on with. */
  private @Nullable Broken broken;

  private Duration visibility = LAST_VISIBILITY;

  /**
   * A stream that was broken.
   *
   * @param unseen stands for messages that came to nobody
   */
  private record Broken(Map<String, Object> resume, Call<List<Handed>> unseen) {}

  StreamReceiver(DoorStream.Door door, LoadTopic topic, HistoryRecorder recorder, Random random) {
    this.door = door;
    this.topic = topic;
    this.recorder = recorder;
    this.random = random;
  }

  /** From now on it acknowledges whatever it gets. */
  void drain() {
    draining = true;
  }

  /** Lets {@link #run} return. */
  void end() {
    ending = true;
  }

  List<String> altered() {
    return altered.stream().toList();
  }

  /** How many streams it went on with. */
  long resumed() {
    return resumed.sum();
  }

  long received() {
    return received.sum();
  }

  @Override
  public void run() {
    while (!ending && !Thread.currentThread().isInterrupted()) {
      if (!stream()) {
        LockSupport.parkNanos(AWAY.toNanos());
      }
    }
    forget();
  }

  /** Opens a stream and receives until it breaks; returns whether it opened. */
  private boolean stream() {
    if (broken == null) {
      visibility =
          draining ? LAST_VISIBILITY : VISIBILITIES.get(random.nextInt(VISIBILITIES.size()));
    }
    Map<String, Object> resume = broken == null ? Map.of() : broken.resume();
    Deque<Call<List<Handed>>> calls = new ArrayDeque<>();
    for (int i = 0; i <= MOST_OF_A_STREAM; i++) {
      calls.add(recorder.recv(topic.name(), visibility));
    }
    try (DoorStream stream = door.open(topic.name(), visibility, WINDOW, resume)) {
      if (broken != null) {
        resumed.increment();
        broken.unseen().fail();
        broken = null;
      }
      boolean isOurCut = receive(stream, calls);
      end(stream, calls, isOurCut);
      return true;
    } catch (IOException e) {
      boolean isOpen = broken == null && calls.isEmpty();
      forget();
      // Whether it opened is unknown.
      endAll(calls);
      return isOpen;
    }
  }

  private void end(DoorStream stream, Deque<Call<List<Handed>>> calls, boolean isOurCut) {
    Call<List<Handed>> unseen = calls.remove();
    if (isOurCut && random.nextInt(3) > 0 && !stream.resume().isEmpty()) {
      broken = new Broken(stream.resume(), unseen);
    } else {
      unseen.unknown();
    }
    calls.forEach(Call::fail);
    calls.clear();
  }

  private static void endAll(Deque<Call<List<Handed>>> calls) {
    if (!calls.isEmpty()) {
      calls.remove().unknown();
      calls.forEach(Call::fail);
      calls.clear();
    }
  }

  private void forget() {
    if (broken != null) {
      broken.unseen().unknown();
      broken = null;
    }
  }

  /** Returns whether it was not the server that ended the stream. */
  private boolean receive(DoorStream stream, Deque<Call<List<Handed>>> calls) {
    Deadline life = Deadline.in(Duration.ofMillis(300 + random.nextInt(3_000)));
    List<Message> some = new ArrayList<>();
    try {
      while (!ending && calls.size() > 1 && (draining || !life.isOver())) {
        Optional<Message> next = stream.next();
        if (next.isPresent()) {
          Message message = next.get();
          note(message, calls.remove());
          handle(stream, message, some);
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void note(Message message, Call<List<Handed>> call) {
    received.increment();
    call.ok(List.of(RecordedClient.handed(message)));
    if (!message.isIntact()) {
      altered.add(message.msgId());
    }
  }

  private void handle(DoorStream stream, Message message, List<Message> some) {
    int dice = draining ? 0 : random.nextInt(100);
    boolean isRough = topic.equals(LoadTopic.DEADLY) && !draining && random.nextBoolean();
    if (isRough || (dice >= 78 && dice < 88)) {
      stream.nack(message, Fields.of("reason", "refused by the test"));
    } else if (dice < 60) {
      some.add(message);
      if (draining || some.size() == 5) {
        stream.ack(List.copyOf(some));
        some.clear();
      }
    } else if (dice < 78) {
      stream.ack(List.of(message));
    } else if (dice < 93) {
      stream.extend(message, Duration.ofMillis(300 + random.nextInt(500)));
      stream.ack(List.of(message));
    }
    // The others are forgotten, as those are that wait when the stream breaks.
  }
}

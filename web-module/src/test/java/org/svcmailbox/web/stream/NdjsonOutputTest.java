package org.svcmailbox.web.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamService.OpenStream;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.test.servlet.StrictOutput;
import org.svcmailbox.web.problem.Problems;
import org.svcmailbox.web.servlet.LeasedBytes;
import org.svcmailbox.web.servlet.StreamedAnswer;

/** A stream's answer: what is written, when, and how it ends. */
class NdjsonOutputTest {
  private static final int CHUNK = 64 << 10;
  private static final String OPEN = "{\"type\":\"open\",\"stream\":\"s-1\",\"window\":100}\n";
  private static final String BEAT = "{\"type\":\"heartbeat\",\"unsettled\":0}\n";

  private final List<String> calls = new ArrayList<>();
  private final List<List<Integer>> rounds = new ArrayList<>();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final LeasedBytes leased = new LeasedBytes(1 << 20);
  private final Client client = new Client();
  private final NdjsonOutput output =
      new NdjsonOutput(Problems::refused, leased, CHUNK, new Rounds());
  private Runnable whenReady = () -> {};
  private boolean isStopping;

  /** Takes as many writes as a test allows. */
  private static final class Client extends ServletOutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final List<Integer> writes = new ArrayList<>();
    private @Nullable WriteListener listener;
    private byte[] last = new byte[0];
    private int allowed = Integer.MAX_VALUE;
    private int flushes;
    private boolean isBroken;

    @Override
    public boolean isReady() {
      return allowed > 0;
    }

    @Override
    public void setWriteListener(WriteListener first) {
      listener = first;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (isBroken) {
        throw new IOException("gone");
      }
      allowed--;
      writes.add(length);
      last = bytes;
      taken.write(bytes, offset, length);
    }

    @Override
    public void flush() {
      flushes++;
    }

    String take() {
      String text = taken.toString(UTF_8);
      taken.reset();
      return text;
    }
  }

  /** Notes how many messages are sent together, and how many of them have a trace. */
  private final class Rounds implements CallSpan {
    @Override
    public @Nullable TraceContext context() {
      return null;
    }

    @Override
    public void link(TraceContext message) {
      throw new AssertionError("rounds have links");
    }

    @Override
    public void round(int messages, List<TraceContext> senders) {
      rounds.add(List.of(messages, senders.size()));
    }

    @Override
    public void end(String attribute, long code, boolean isFailure) {
      throw new AssertionError("the request ends it");
    }
  }

  private final class Stream implements OpenStream {
    @Override
    public String id() {
      return "s-1";
    }

    @Override
    public int window() {
      return 100;
    }

    @Override
    public void ready() {
      calls.add("ready");
      whenReady.run();
    }

    @Override
    public void cut() {
      calls.add("cut");
    }

    @Override
    public void credit(long messages, long bytes) {
      throw new UnsupportedOperationException("nothing of NDJSON gives credit");
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException("a client of NDJSON hangs up");
    }
  }

  private class Answer implements StreamedAnswer {
    private final ServletOutputStream to;

    Answer(ServletOutputStream to) {
      this.to = to;
    }

    @Override
    public ServletOutputStream output() {
      return to;
    }

    @Override
    public void execute(Runnable task) {
      if (isStopping) {
        throw new RejectedExecutionException("stopping");
      }
      tasks.add(task);
    }

    @Override
    public void complete() {
      calls.add("complete");
    }

    @Override
    public void hangUp() {
      calls.add("hang up");
    }
  }

  private void start() {
    output.start(new Stream(), new Answer(client));
    assertTrue(tasks.isEmpty(), "nothing is written before the server says so");
    output.onWritePossible();
    run();
  }

  private void run() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private void allow(int writes) {
    client.allowed = writes;
    output.onWritePossible();
    run();
  }

  private long held() {
    return (long) leased.metrics().get(0).now();
  }

  @Test
  void aStreamOpensAndIsReady() {
    assertFalse(output.isReady());
    start();
    assertEquals(OPEN, client.take());
    assertEquals(1, client.flushes);
    assertEquals(List.of("ready"), calls);
    assertTrue(output.isReady());
  }

  @Test
  void linesComeInOrderAndAreFlushedOnceIdle() {
    start();
    client.take();
    output.message(1, SampleLeases.of(new byte[] {1}));
    output.message(2, SampleLeases.traced(new byte[] {2}));
    assertEquals(2, held());
    assertFalse(output.isFree());
    run();
    assertTrue(output.isFree());
    List<String> lines = client.take().lines().toList();
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains("\"n\":1,"));
    assertTrue(lines.get(1).contains("\"n\":2,"));
    assertEquals(2, client.writes.size(), "one write for both, behind the first line's");
    assertEquals(2, client.flushes);
    assertEquals(0, held());
    assertEquals(List.of(List.of(2, 1)), rounds);
  }

  @Test
  void heartbeatsSayWhyNothingComes() {
    start();
    client.take();
    output.heartbeat(0, null);
    output.heartbeat(3, Pause.WINDOW);
    run();
    assertEquals(
        BEAT + "{\"type\":\"heartbeat\",\"unsettled\":3,\"paused\":\"window\"}\n", client.take());
  }

  @Test
  void aLargeMessageIsWrittenInChunksAndErased() {
    start();
    client.writes.clear();
    byte[] payload = new byte[CHUNK * 2];
    Arrays.fill(payload, (byte) 0xff);
    output.message(1, SampleLeases.of(payload));
    run();
    assertEquals(3, client.writes.size());
    assertTrue(client.writes.stream().allMatch(length -> length <= CHUNK));
    assertEquals(List.of(), nonZero(client.last));
    assertEquals(payload.length, SampleLeases.of(payload).message().payload().size());
    assertTrue(payload[0] != 0, "the payload belongs to its lease");
  }

  private static List<Byte> nonZero(byte[] bytes) {
    List<Byte> found = new ArrayList<>();
    for (byte one : bytes) {
      if (one != 0) {
        found.add(one);
      }
    }
    return found;
  }

  @Test
  void asMuchAsAChunkIsTakenAheadAndThenNoMore() {
    start();
    int taken = 0;
    while (output.isReady()) {
      taken++;
      output.message(taken, SampleLeases.of(new byte[1024]));
    }
    assertEquals(43, taken, "1,536 bytes each");
    calls.clear();
    run();
    assertTrue(output.isReady());
    assertEquals(List.of("ready"), calls);
  }

  @Test
  void aClientThatTakesNothingGetsNoMoreAndIsReadyAgainLater() {
    start();
    client.take();
    client.allowed = 1;
    output.message(1, SampleLeases.of(new byte[CHUNK]));
    run();
    assertTrue(CHUNK - client.take().length() < 4, "a group of base64 is not parted");
    assertFalse(output.isReady());
    calls.clear();
    allow(2);
    assertFalse(client.take().isEmpty());
    assertEquals(List.of("ready"), calls);
    assertTrue(output.isReady());
  }

  @Test
  void messagesMayComeWhileTheServiceHearsOfReadiness() {
    whenReady =
        () -> {
          if (calls.size() < 4) {
            output.message(calls.size(), SampleLeases.of(new byte[1]));
          }
        };
    start();
    assertEquals(List.of("ready", "ready", "ready", "ready"), calls);
    assertEquals(4, client.take().lines().count());
  }

  @Test
  void aTurnOfTheStreamSharesTheWriteOfWhatItBrings() {
    start();
    client.take();
    output.run(
        () -> {
          output.heartbeat(1, null);
          output.heartbeat(2, null);
        });
    assertEquals(1, tasks.size());
    run();
    assertEquals(2, client.take().lines().count());
    assertEquals(2, client.writes.size());
  }

  @Test
  void aTurnRunsThoughTheClientTakesNothing() {
    start();
    client.allowed = 0;
    output.message(1, SampleLeases.of(new byte[10]));
    run();
    output.run(() -> output.end(StreamEnd.SLOW, null));
    run();
    assertEquals(List.of("ready", "hang up"), calls);
  }

  @Test
  void aLongTurnLeavesItsThreadToOthers() {
    start();
    output.message(1, SampleLeases.of(new byte[20 * CHUNK]));
    Runnable turn = tasks.remove();
    turn.run();
    assertEquals(1 + 16, client.writes.size());
    assertEquals(1, tasks.size(), "it goes on behind the others");
    run();
    assertEquals(0, held());
  }

  @Test
  void aFailedWriteCutsTheStreamOnce() {
    start();
    output.message(1, SampleLeases.of(new byte[10]));
    client.isBroken = true;
    run();
    output.onError(new IOException("gone"));
    output.cut();
    run();
    assertEquals(List.of("ready", "cut", "hang up"), calls);
    assertEquals(0, held());
    assertFalse(output.isReady());
  }

  @Test
  void aCutWhileBlockedFreesWhatIsHeld() {
    start();
    client.allowed = 0;
    output.message(1, SampleLeases.of(new byte[10]));
    output.message(2, SampleLeases.of(new byte[10]));
    run();
    assertEquals(20, held());
    output.cut();
    run();
    assertEquals(0, held());
    assertEquals(List.of("ready", "cut", "hang up"), calls);
  }

  @Test
  void anEndIsTheLastLine() {
    start();
    client.take();
    output.message(1, SampleLeases.of(new byte[10]));
    output.end(StreamEnd.AGE, null);
    output.heartbeat(1, null);
    run();
    List<String> lines = client.take().lines().toList();
    assertEquals(2, lines.size());
    assertEquals("{\"type\":\"end\",\"reason\":\"age\"}", lines.get(1));
    assertEquals(List.of("ready", "complete"), calls);
    output.cut();
    assertEquals(List.of("ready", "complete"), calls);
  }

  @Test
  void anEndTellsItsProblem() {
    start();
    client.take();
    output.end(StreamEnd.ERROR, Refusal.saturated("why", "a sentence", Duration.ofSeconds(2)));
    run();
    assertEquals(
        "{\"type\":\"end\",\"reason\":\"error\",\"problem\":{"
            + "\"type\":\"urn:svc-mailbox:problem:E_SATURATED\",\"title\":\"A limit is"
            + " reached\",\"status\":429,\"detail\":\"a sentence\",\"code\":\"E_SATURATED\","
            + "\"reason\":\"why\",\"retry_after_ms\":2000}}\n",
        client.take());
  }

  @Test
  void anEndBeforeTheServerIsReadyComesBehindTheFirstLine() {
    output.start(new Stream(), new Answer(client));
    output.end(StreamEnd.DRAIN, null);
    output.onWritePossible();
    run();
    assertEquals(OPEN + "{\"type\":\"end\",\"reason\":\"drain\"}\n", client.take());
    assertEquals(List.of("complete"), calls);
  }

  @Test
  void aSlowClientIsLeftWithoutAWord() {
    start();
    client.take();
    client.allowed = 0;
    output.message(1, SampleLeases.of(new byte[10]));
    run();
    output.end(StreamEnd.SLOW, null);
    run();
    assertEquals("", client.take());
    assertEquals(List.of("ready", "hang up"), calls);
    assertEquals(0, held());
  }

  @Test
  void anotherEndWaitsForTheClient() {
    start();
    client.take();
    client.allowed = 0;
    output.message(1, SampleLeases.of(new byte[10]));
    run();
    output.end(StreamEnd.TOPIC, null);
    run();
    assertEquals(List.of("ready"), calls);
    allow(2);
    assertTrue(client.take().endsWith("{\"type\":\"end\",\"reason\":\"topic\"}\n"));
    assertEquals(List.of("ready", "complete"), calls);
  }

  @Test
  void aClientThatIsGoneBeforeTheStreamIsOpenCutsIt() {
    output.cut();
    output.start(new Stream(), new Answer(client));
    assertEquals(List.of("cut", "hang up"), calls);
    assertEquals(null, client.listener);
  }

  @Test
  void aServerThatIsStoppingCutsTheStream() {
    start();
    isStopping = true;
    output.message(1, SampleLeases.of(new byte[10]));
    assertEquals(List.of("ready", "cut", "hang up"), calls);
    assertEquals(0, held());
  }

  @Test
  void manySlowClientsLeaveNoRoom() {
    start();
    leased.hold(1 << 20);
    assertTrue(output.isReady(), "this client reads");
    assertFalse(output.hasRoom());
    leased.release(1);
    assertTrue(output.hasRoom());
  }

  @Test
  void theContractOfNonBlockingOutputIsKept() {
    try (StrictOutput strict = new StrictOutput()) {
      output.start(
          new Stream(),
          new Answer(strict) {
            @Override
            public void execute(Runnable task) {
              task.run();
            }
          });
      strict.settle();
      output.message(1, SampleLeases.of(new byte[CHUNK]));
      strict.settle();
      output.end(StreamEnd.AGE, null);
      strict.settle();
      assertEquals(
          List.of("write", "flush", "write", "write", "flush", "write", "flush"), strict.calls());
      assertEquals(3, new String(strict.taken(), UTF_8).lines().count());
      assertEquals(List.of("ready", "ready", "complete"), calls);
    }
  }
}

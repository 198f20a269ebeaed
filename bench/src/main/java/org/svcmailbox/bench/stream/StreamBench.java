package org.svcmailbox.bench.stream;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.bench.contestant.ArtemisContestant;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.ReceiveLoad;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.load.Wrk;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Parts;
import org.svcmailbox.bench.options.Rounds;

/** The scenario {@code streams}. */
public final class StreamBench {
  static final int STREAMS = 8;
  static final int WINDOW = 200;
  static final int IDLE = 100;
  static final int IDLE_OF_HEAP = 1_000;

  private static final int CONNECTIONS = 4;
  private static final int BATCHES_UNDER_WAY = 4;
  private static final int SEND_STREAMS = 16;
  private static final int SEND_BATCH = 100;
  private static final Load HUNDREDS = Load.closed(Work.SEND, 64, SEND_BATCH);

  private static final Duration WHILE = Duration.ofSeconds(15);

  /** By then nothing of a stalled stream is written any more. */
  private static final Duration FULL = Duration.ofSeconds(3);

  /** Streams that were cut can be resumed for so long. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(31);

  private final Options options;
  private final Server server;
  private final LoadTarget client;
  private final StreamTurns turns;
  private final ArtemisContestant artemis;
  private int loads;
  private boolean isIdleFirst;

  private StreamBench(Options options, Server server, ArtemisContestant artemis)
      throws IOException {
    this.options = options;
    this.server = server;
    this.client = server.client();
    this.turns = new StreamTurns(server, client);
    this.artemis = artemis;
  }

  public static void run(Options options) throws Exception {
    Map<String, String> machine = Machine.factsWithLoad(options.data());
    Map<String, String> settings = new HashMap<>(Server.SETTINGS);
    settings.put("MAILBOX_GRPC_ENABLED", "true");
    settings.put("MAILBOX_STREAMS", "4096");
    settings.put("MAILBOX_MAX_CONNS_PER_ADDRESS", "4096");
    Progress.say("starting the server");
    Figures figures = new Figures();
    try (Server server = Server.start(options, "streams", "server", settings);
        ArtemisContestant artemis = new ArtemisContestant()) {
      if (options.has(Parts.SEND)) {
        artemis.start(options.data("artemis"), options.output("artemis"));
      }
      StreamBench bench = new StreamBench(options, server, artemis);
      new Rounds(options).run("streams", figures, bench::round);
      bench.heap(figures);
    }
    new StreamReport(machine, figures, options).publish();
  }

  private void round(Figures into) throws Exception {
    if (options.has(Parts.RECEIVE)) {
      receive(into);
    }
    if (options.has(Parts.SEND)) {
      send(into);
    }
    if (options.has(Parts.CALLBACK)) {
      callbacks(into);
    }
    if (options.has(Parts.IDLE)) {
      besideIdle(into);
    }
    if (options.has(Parts.STALLED)) {
      besideStalled(into);
    }
  }

  private void receive(Figures into) throws Exception {
    ReceiveLoad calls = new ReceiveLoad(client);
    drain("recv.http", into, (topic, messages) -> messages / calls.run(topic).perSecond());
    for (int batch : StreamReport.BATCHES) {
      drain("recv.ndjson." + batch, into, new NdjsonDrain(client, STREAMS, WINDOW, batch));
    }
    for (int batch : StreamReport.BATCHES) {
      try (GrpcDoor door = door(CONNECTIONS)) {
        drain("recv.grpc." + batch, into, new GrpcDrain(door, STREAMS, WINDOW, batch));
      }
    }
  }

  private void drain(String key, Figures into, Drain drain) throws Exception {
    turns.drain(key, options.backlog(), into, drain);
  }

  private GrpcDoor door(int connections) {
    return new GrpcDoor(server.at(GrpcDoor.PORT), client, connections);
  }

  private void send(Figures into) throws Exception {
    turns.onNewTopic(topic -> sendStreams(topic, into));
    turns.onNewTopic(topic -> sendBatches(topic, into));
    String queue = "queue" + loads++;
    artemis.create(queue);
    Duration cpu = artemis.processes().cpu();
    Outcome outcome = artemis.run(HUNDREDS, queue, options.load());
    add(into, "send.artemis", outcome, artemis.processes().cpu().minus(cpu));
    artemis.delete(queue);
  }

  private SendStreams.Sent sendStreams(String topic, Figures into) throws Exception {
    try (GrpcDoor door = door(CONNECTIONS)) {
      Duration cpu = server.cpu();
      SendStreams.Sent sent =
          new SendStreams(door, SEND_STREAMS, BATCHES_UNDER_WAY, SEND_BATCH)
              .run(topic, "load" + loads++ + ".", options.load());
      StreamTurns.add(into, "send.grpc", sent.messages(), sent.seconds(), server.cpu().minus(cpu));
      return sent;
    }
  }

  private Outcome sendBatches(String topic, Figures into) throws Exception {
    MailboxProtocol protocol = new MailboxProtocol(client, server.operator());
    Duration cpu = server.cpu();
    Outcome outcome =
        new Wrk(client.server(), options.work())
            .put(protocol.send(topic, SEND_BATCH), protocol.failure(), HUNDREDS, options.load());
    add(into, "send.http", outcome, server.cpu().minus(cpu));
    return outcome;
  }

  private static void add(Figures into, String key, Outcome outcome, Duration cpu) {
    StreamTurns.add(into, key, outcome.messages(), outcome.seconds(), cpu);
  }

  private void callbacks(Figures into) throws Exception {
    turns.onNewTopic(
        topic -> {
          try (Callbacks callbacks = new NdjsonCallbacks(client, topic)) {
            return percentiles("callback.ndjson", callbacks, into);
          }
        });
    turns.onNewTopic(
        topic -> {
          try (GrpcDoor door = door(1);
              Callbacks callbacks = new GrpcCallbacks(door, topic)) {
            return percentiles("callback.grpc", callbacks, into);
          }
        });
  }

  private List<Long> percentiles(String key, Callbacks callbacks, Figures into) throws Exception {
    List<Long> nanos = callbacks.during(options.load());
    for (int percent : StreamReport.PERCENTS) {
      into.add(StreamFigures.millis(key, percent), Samples.millis(nanos, percent));
    }
    return nanos;
  }

  /** SEND with idle streams of both doors and without; the order changes. */
  private void besideIdle(Figures into) throws Exception {
    isIdleFirst = !isIdleFirst;
    for (boolean idle : List.of(isIdleFirst, !isIdleFirst)) {
      turns.onNewTopic(
          topic -> idle ? besideIdle(topic, into) : sendLoad("idle.none", topic, into));
    }
  }

  private SendLoad.Result besideIdle(String topic, Figures into) throws Exception {
    return turns.onNewTopic(
        quiet -> {
          try (IdleStreams lines = IdleStreams.ndjson(client, quiet, IDLE);
              IdleStreams calls = IdleStreams.grpc(server, client, quiet, IDLE)) {
            into.add("idle.streams", lines.count() + calls.count());
            return sendLoad("idle.both", topic, into);
          }
        });
  }

  private SendLoad.Result sendLoad(String key, String topic, Figures into) throws Exception {
    Path work = options.work();
    Duration cpu = server.cpu();
    SendLoad.Result result =
        new SendLoad(client, work, "load" + loads++).run(topic, 64, options.load());
    double seconds = options.load().toNanos() / 1e9;
    StreamTurns.add(
        into, key, (long) (result.perSecond() * seconds), seconds, server.cpu().minus(cpu));
    return result;
  }

  /** A stream beside one on the same connection whose client takes nothing. */
  private void besideStalled(Figures into) throws Exception {
    turns.onNewTopic(
        stalled -> {
          fillLarge(stalled);
          return turns.onNewTopic(topic -> besideStalled(stalled, topic, into));
        });
  }

  private List<Long> besideStalled(String stalled, String topic, Figures into) throws Exception {
    try (GrpcDoor door = door(1);
        Callbacks callbacks = new GrpcCallbacks(door, topic)) {
      List<Long> unused = percentiles("stalled.none", callbacks, into);
      GrpcStream stream = GrpcStream.stalled();
      stream.open(door.mailbox(0), stalled, WINDOW, LargeMessages.WINDOW_BYTES);
      TimeUnit.NANOSECONDS.sleep(FULL.toNanos());
      return percentiles("stalled.one", callbacks, into);
    }
  }

  private void fillLarge(String topic) throws IOException {
    try (HttpConnection connection = new HttpConnection(client)) {
      LargeMessages.send(connection, topic);
    }
  }

  private void heap(Figures into) throws Exception {
    if (options.has(Parts.HEAP)) {
      heap("heap.ndjson", into, topic -> IdleStreams.ndjson(client, topic, IDLE_OF_HEAP));
      heap("heap.grpc", into, topic -> IdleStreams.grpc(server, client, topic, IDLE_OF_HEAP));
    }
  }

  /** Microseconds of CPU in a second. */
  private double idleMicros() throws InterruptedException {
    Duration cpu = server.cpu();
    TimeUnit.NANOSECONDS.sleep(WHILE.toNanos());
    return server.cpu().minus(cpu).toNanos() / 1e3 / WHILE.toSeconds();
  }

  private void heap(String key, Figures into, StreamTurns.Turn<IdleStreams> opens)
      throws Exception {
    Progress.say("waiting until cut streams are forgotten");
    TimeUnit.NANOSECONDS.sleep(FORGOTTEN.toNanos());
    long before = Heap.liveKibibytes(server.pid(), options.work());
    into.add(StreamFigures.cpu("heap.none"), idleMicros());
    turns.onNewTopic(
        topic -> {
          try (IdleStreams idle = opens.on(topic)) {
            long with = Heap.liveKibibytes(server.pid(), options.work());
            into.add(StreamFigures.kib(key), (double) (with - before) / idle.count());
            into.add(StreamFigures.cpu(key), idleMicros() / idle.count());
            return with;
          }
        });
  }
}

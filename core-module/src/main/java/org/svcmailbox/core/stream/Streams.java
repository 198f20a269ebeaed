package org.svcmailbox.core.stream;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService.HeldStream;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.stream.MessageStream.Terms;
import org.svcmailbox.core.stream.StreamMetrics.Returned;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;
import org.svcmailbox.core.time.Ticker;

/** All streams of this process. One thread calls {@link #tick}. */
public final class Streams implements StreamService, MetricSource {
  /** How often the streams are checked. */
  public static final Duration TICK = Duration.ofMillis(250);

  /**
   * The maximum age of a stream, varied by up to a tenth so that clients do not all return
   * together.
   */
  static final Duration AGE = Duration.ofMinutes(30);

  private static final double SPREAD = 0.2;

  private final StreamPorts ports;
  private final Limits limits;
  private final Ticker ticker;
  private final InstantSource wall;
  private final RandomGenerator random;
  private final Map<Door, StreamMetrics> metrics = new EnumMap<>(Door.class);
  private final Map<String, MessageStream> open = new ConcurrentHashMap<>();
  private final CutStreams cuts = new CutStreams();

  public Streams(
      StreamPorts ports, Limits limits, Ticker ticker, InstantSource wall, RandomGenerator random) {
    this.ports = ports;
    this.limits = limits;
    this.ticker = ticker;
    this.wall = wall;
    this.random = random;
    for (Door door : Door.values()) {
      metrics.put(door, new StreamMetrics(text(door), wall));
    }
  }

  private static String text(Door door) {
    return door.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public OpenStream open(Caller caller, StreamRequest request, Door door, StreamOutput output) {
    check(caller, request);
    Resume resume = request.resume();
    if (resume != null) {
      giveUp(resume, caller, request.topic());
    }
    enter(caller, request.topic());
    try {
      StreamWindow window = resume == null ? newWindow() : takeOver(resume, door);
      return begin(terms(caller, request, door, window), output);
    } catch (RuntimeException e) {
      limits.streams().undo(1, request.topic(), caller.capability().id());
      throw e;
    }
  }

  private void check(Caller caller, StreamRequest request) {
    caller.require(Operation.RECV, request.topic());
    if (request.onClose() == OnClose.NACK) {
      caller.require(Operation.NACK, request.topic());
    }
    if (ports.isDraining()) {
      throw new UnavailableException("the service is stopping");
    }
    ports.check(request.recv(1, 1));
  }

  private void enter(Caller caller, TopicName topic) {
    Refusal full = limits.streams().tryAdd(1, topic, caller.capability().id());
    if (full != null) {
      throw full.asSaturated();
    }
  }

  /** Ends a stream that its client replaces by another one; it then counts as cut. */
  private void giveUp(Resume resume, Caller caller, TopicName topic) {
    MessageStream running = open.get(resume.stream());
    Terms terms =
        running != null
            ? running.terms()
            : cuts.find(resume.stream(), ticker.nanos()).orElseThrow(Streams::unknown);
    boolean isOurs = terms.holder().equals(caller.capability().id());
    if (!isOurs || !terms.request().topic().equals(topic)) {
      throw unknown();
    }
    if (running != null) {
      running.giveUp();
    }
  }

  private StreamWindow takeOver(Resume resume, Door door) {
    Terms terms = cuts.take(resume.stream(), ticker.nanos()).orElseThrow(Streams::unknown);
    metrics(door).returned(Returned.RESUME, terms.window().resume(resume.last()));
    return terms.window();
  }

  private static NotFoundException unknown() {
    return new NotFoundException("there is no such stream to resume; open one without resume");
  }

  private StreamWindow newWindow() {
    return new StreamWindow(limits.streamInflight());
  }

  private String newId() {
    return Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX)
        + Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
  }

  private Terms terms(Caller caller, StreamRequest request, Door door, StreamWindow window) {
    double part = 1 - SPREAD / 2 + SPREAD * random.nextDouble();
    Duration age = Duration.ofNanos((long) (AGE.toNanos() * part));
    Duration life = request.life();
    Duration left = life != null && life.compareTo(age) < 0 ? life : age;
    long until = ticker.nanos() + left.toNanos();
    StreamEnd old = left.equals(age) ? StreamEnd.AGE : StreamEnd.DEADLINE;
    return new Terms(newId(), caller, door, request, window, until, old, wall.instant());
  }

  private OpenStream begin(Terms terms, StreamOutput output) {
    MessageStream stream =
        new MessageStream(terms, output, ports, metrics(terms.door()), ticker, this::ended);
    open.put(terms.id(), stream);
    return stream;
  }

  private void ended(MessageStream stream, StreamEnd end) {
    Terms terms = stream.terms();
    if (!end.isByClient() || terms.request().onClose() == OnClose.KEEP) {
      cuts.add(terms, ticker.nanos());
    }
    open.remove(terms.id());
    limits.streams().remove(1, terms.request().topic(), terms.holder());
  }

  /** Open streams, oldest first. */
  public List<HeldStream> held(int most) {
    return open.values().stream()
        .sorted(Comparator.comparing(stream -> stream.terms().since()))
        .limit(most)
        .map(Streams::held)
        .toList();
  }

  private static HeldStream held(MessageStream stream) {
    Terms terms = stream.terms();
    Pause paused = stream.paused();
    return new HeldStream(
        terms.request().topic(),
        text(terms.door()),
        terms.holder().nonce(),
        terms.since(),
        terms.window().unsettled(),
        paused == null ? null : paused.text());
  }

  /** Checks all streams once. */
  public void tick() {
    open.values().forEach(MessageStream::tick);
    cuts.expire(ticker.nanos());
  }

  private StreamMetrics metrics(Door door) {
    return Objects.requireNonNull(metrics.get(door));
  }

  @Override
  public List<Distribution> distributions() {
    return metrics.values().stream().map(StreamMetrics::distribution).toList();
  }

  @Override
  public List<Metric> metrics() {
    return Stream.of(Door.values())
        .flatMap(door -> Stream.concat(gauges(door), metrics(door).metrics().stream()))
        .toList();
  }

  private Stream<Metric> gauges(Door door) {
    return Stream.of(
        Family.STREAM_OPEN.of(() -> of(door).count(), text(door)),
        Family.STREAM_UNSETTLED.of(
            () -> of(door).mapToLong(terms -> terms.window().unsettled()).sum(), text(door)));
  }

  private Stream<Terms> of(Door door) {
    return open.values().stream().map(MessageStream::terms).filter(one -> one.door() == door);
  }
}

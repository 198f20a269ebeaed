package org.svcmailbox.web.event;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.web.json.Json;
import org.svcmailbox.web.topic.TopicListResponse;

/**
 * All event streams. One task serves them; each step builds the event of a view once for all that
 * have it. Any thread may open a stream.
 */
@Singleton
public final class EventStreams implements MetricSource {
  static final Duration STEP_INTERVAL = Duration.ofMillis(250);

  /** Shorter than the silence after which the server closes a connection. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** The longest life of a stream; clients reconnect. */
  static final Duration MAX_DURATION = Duration.ofMinutes(10);

  private static final Logger LOG = System.getLogger(EventStreams.class.getName());
  private static final String BOUND = "event_streams";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final TopicAdmin topics;
  private final Vitals vitals;
  private final int max;
  private final FairShare share;
  private final LongSupplier nanos;
  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  @Inject
  EventStreams(TopicAdmin topics, Vitals vitals, MailboxSettings settings) {
    this(topics, vitals, settings.eventStreams(), settings.bounds().fairShare(), System::nanoTime);
  }

  /**
   * @param max concurrent streams
   * @param share the part of them that one capability may have
   * @param nanos a monotonic clock
   */
  public EventStreams(
      TopicAdmin topics, Vitals vitals, int max, FairShare share, LongSupplier nanos) {
    this.topics = topics;
    this.vitals = vitals;
    this.max = max;
    this.share = share;
    this.nanos = nanos;
  }

  /**
   * Opens a stream for a caller that may see its view.
   *
   * @param view the topics that the stream shows
   * @param interval between two events
   * @param events the most events
   * @param factory creates the stream if it is not refused
   * @throws SaturatedException if too many streams are open, in all or of this capability
   * @throws UnavailableException if the service is stopping
   * @throws org.svcmailbox.core.problem.NotFoundException if there is no such topic
   */
  synchronized void open(
      Caller caller,
      EventView view,
      Duration interval,
      int events,
      Function<EventStream.Terms, EventStream> factory) {
    view.require(caller);
    if (isStopping()) {
      throw new UnavailableException("the service is stopping");
    }
    if (view.topic() != null) {
      Overview unused = view.of(topics, caller);
    }
    streams.removeIf(EventStream::isEnded);
    if (!share.allows(max, streams.size() + 1L, streamsOf(caller), 1)) {
      throw new SaturatedException(
          BOUND, "too many streams of events in all, or of this capability", RETRY_AFTER);
    }
    long now = nanos.getAsLong();
    streams.add(
        factory.apply(
            new EventStream.Terms(
                view, now, interval.toNanos(), now + MAX_DURATION.toNanos(), events)));
  }

  private long streamsOf(Caller caller) {
    return streams.stream()
        .filter(one -> one.caller().capability().id().equals(caller.capability().id()))
        .count();
  }

  private boolean isStopping() {
    return isClosed || !vitals.of(Part.INTAKE).up();
  }

  /** Serves every stream once. */
  void step() {
    long now = nanos.getAsLong();
    boolean isStopping = isStopping();
    SharedEvents shared = new SharedEvents();
    for (EventStream stream : List.copyOf(streams)) {
      if (stream.isEnded()) {
        streams.remove(stream);
      } else if (stream.isOver(now)) {
        stream.abandon();
      } else if (isStopping) {
        stream.end();
      } else {
        serve(stream, shared, now);
      }
    }
  }

  private static void serve(EventStream stream, SharedEvents shared, long now) {
    try {
      stream.view().require(stream.caller());
      if (stream.isDue(now)) {
        stream.send(shared.event(stream.view(), stream.caller()), now);
      }
    } catch (DeniedException e) {
      // The capability was revoked or has expired; a new request would be refused too.
      stream.end();
    } catch (NotFoundException e) {
      // The topic was deleted.
      stream.end();
    } catch (MailboxException e) {
      LOG.log(Level.DEBUG, "No event sent: {0}", e.getMessage());
    }
    stream.keepAlive(COMMENT, now, HEARTBEAT);
  }

  /** The events of one step. */
  private final class SharedEvents {
    private final Map<EventView, byte[]> events = new HashMap<>();

    byte[] event(EventView view, Caller caller) {
      return events.computeIfAbsent(view, one -> made(one, caller));
    }

    private byte[] made(EventView view, Caller caller) {
      byte[] json = Json.bytes(TopicListResponse.of(view.of(topics, caller)));
      String text = new String(json, StandardCharsets.UTF_8);
      return ("event: topics\ndata: " + text + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Ends all streams and refuses new ones. */
  synchronized void close() {
    isClosed = true;
    streams.forEach(EventStream::end);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(() -> streams.stream().filter(one -> !one.isEnded()).count(), BOUND),
        Family.BOUND_CAPACITY.of(() -> max, BOUND));
  }
}

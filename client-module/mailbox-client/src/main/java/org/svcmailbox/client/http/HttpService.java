package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Experimental;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;
import org.svcmailbox.client.service.Polls;
import org.svcmailbox.client.service.Repeater;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.spi.BatchTask;
import org.svcmailbox.client.spi.MailboxThreads;

/**
 * The mailbox service in its own JSON, for tools that need calls which a mailbox lacks, or all
 * fields of the answers. Calls are repeated and refused like calls of {@link HttpMailbox}, and
 * throw the same exceptions. Thread-safe.
 *
 * <p>A call that is repeated after a lost answer may be carried out twice. The service documents
 * the effect for each call.
 */
@Experimental
public final class HttpService implements AutoCloseable {
  /** The most elements of one request. */
  public static final int MAX_BATCH = 100;

  private static final String NAME = "service";
  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());

  private final MailboxClock clock = MailboxClock.system();
  private final Duration callTimeout;
  private final Lifecycle lifecycle;
  private final @Nullable HttpConnections ownConnections;
  private final HttpReceiver receiver;
  private final HttpCalls calls;
  private final String streamed;

  /** Null if receives are requests. */
  private final @Nullable StreamFeed<JsonNode> stream;

  /** Null without a stream. */
  private final @Nullable ExecutorService threads;

  private HttpService(Builder from, HttpConnections connections) {
    callTimeout = from.callTimeout;
    ownConnections = from.connections == null ? connections : null;
    lifecycle = new Lifecycle(NAME, clock, connections::wake);
    Transport transport =
        new Transport("", from.service, from.tokens, connections, lifecycle, clock, callTimeout);
    receiver =
        new HttpReceiver(
            transport,
            new Polls(connections.room(), lifecycle, clock),
            lifecycle,
            clock,
            callTimeout);
    calls = new HttpCalls(transport, new Repeater(LOG, NAME, lifecycle, clock, from.random));
    streamed = from.streamed;
    threads = streamed.isEmpty() ? null : MailboxThreads.of(NAME);
    stream = threads == null ? null : streams(transport, connections, from.random, threads);
  }

  private StreamFeed<JsonNode> streams(
      Transport transport,
      HttpConnections connections,
      DoubleSupplier random,
      ExecutorService pumps) {
    StreamFormat<JsonNode> format = StreamFormat.json();
    return HttpStreamPump.feed(
        new StreamFeed.Settings<>(
            LOG,
            streamed,
            format,
            BackendFeatures.HTTP.maxBodyBytes(),
            false,
            callTimeout,
            clock,
            random),
        format,
        (max, visibility, wait) -> poll(streamed, max, visibility, wait),
        transport,
        lifecycle,
        connections,
        pumps);
  }

  /**
   * Builds a service.
   *
   * @param service as for {@link HttpMailbox#builder}
   * @param tokens the capability to call it with
   * @throws IllegalArgumentException if the URI is not that of a service
   */
  public static Builder builder(URI service, TokenSource tokens) {
    return new Builder(service, tokens);
  }

  /**
   * Makes a GET.
   *
   * @param path from the root of the service, encoded, with its query
   */
  public JsonNode get(String path) {
    return done(RepeatedEndpoints.call("GET", path), null);
  }

  /** Makes a call with a body. */
  public JsonNode post(String path, JsonNode body) {
    return done(RepeatedEndpoints.call("POST", path), HttpJson.bytes(body));
  }

  /** Replaces the resource at a path. */
  public JsonNode put(String path, JsonNode body) {
    return done(RepeatedEndpoints.call("PUT", path), HttpJson.bytes(body));
  }

  /**
   * Creates the resource at a path.
   *
   * @throws org.svcmailbox.client.PreconditionException if there is one already
   */
  public JsonNode create(String path, JsonNode body) {
    return done(RepeatedEndpoints.call("PUT", path, "If-None-Match", "*"), HttpJson.bytes(body));
  }

  /**
   * Replaces the resource at a path, unless it has changed.
   *
   * @param version the {@code version} of the resource that the caller has read
   * @throws org.svcmailbox.client.PreconditionException if it has another one
   */
  public JsonNode put(String path, JsonNode body, String version) {
    return done(ifMatch("PUT", path, version), HttpJson.bytes(body));
  }

  /** Changes a part of the resource at a path, unless it has changed; as {@link #put}. */
  public JsonNode patch(String path, JsonNode body, String version) {
    return done(ifMatch("PATCH", path, version), HttpJson.bytes(body));
  }

  private static Endpoint<JsonNode> ifMatch(String method, String path, String version) {
    return RepeatedEndpoints.call(method, path, "If-Match", '"' + version + '"');
  }

  /** Changes a part of the resource at a path. */
  public JsonNode patch(String path, JsonNode body) {
    return done(RepeatedEndpoints.call("PATCH", path), HttpJson.bytes(body));
  }

  /** Deletes the resource at a path. */
  public JsonNode delete(String path) {
    return done(RepeatedEndpoints.removal(path), new byte[0]);
  }

  /** Makes a call without a body. */
  public JsonNode post(String path) {
    return done(RepeatedEndpoints.call("POST", path), new byte[0]);
  }

  private JsonNode done(Endpoint<JsonNode> endpoint, byte @Nullable [] body) {
    return lifecycle.underWay(
        () -> {
          HttpTask<JsonNode> task = task(body, callTimeout);
          calls.run(endpoint, List.of(task));
          return task.await();
        });
  }

  /**
   * Receives messages with all their fields, without checking digests. This call is never repeated.
   *
   * @param maxMessages at most {@value #MAX_BATCH}
   * @param visibility how long the leases last; null for the topic's default
   * @param wait how long to wait for a message, at most 30 s
   * @throws InterruptedException if the thread is interrupted before the answer came
   */
  public List<JsonNode> receive(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    return stream != null && topic.equals(streamed)
        ? stream.receive(maxMessages, visibility, wait)
        : poll(topic, maxMessages, visibility, wait);
  }

  private List<JsonNode> poll(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    HttpAnswer answer =
        receiver.receive(MailboxNames.require(topic), maxMessages, visibility, wait);
    List<JsonNode> messages = new ArrayList<>();
    if (answer != null) {
      try {
        HttpJson.required(answer.json(), "messages").forEach(messages::add);
      } catch (IOException e) {
        throw Failure.unknown("the answer to a receive cannot be read", e).cause();
      }
    }
    return messages;
  }

  /**
   * Acknowledges messages in one request; each succeeds or fails on its own.
   *
   * @param acks elements of {@code /v1/ack/batch}, at most {@value #MAX_BATCH}
   * @return for each message, in order: empty, or the reason why it was not acknowledged
   */
  public List<Optional<RuntimeException>> acknowledge(List<? extends JsonNode> acks) {
    return settled(acks, settle(RepeatedEndpoints.ACK, acks, callTimeout));
  }

  /**
   * Returns messages to their topic in one request; each succeeds or fails on its own.
   *
   * @param nacks elements of {@code /v1/nack/batch}, at most {@value #MAX_BATCH}
   * @return as of {@link #acknowledge}
   */
  public List<Optional<RuntimeException>> nack(List<? extends JsonNode> nacks) {
    boolean rejects = nacks.stream().anyMatch(nack -> nack.path("dead_letter").asBoolean());
    return settled(
        nacks,
        settle(rejects ? RepeatedEndpoints.REJECT : RepeatedEndpoints.NACK, nacks, callTimeout));
  }

  /** The stream has room for each message that is settled, or whose lease is lost. */
  private List<Optional<RuntimeException>> settled(
      List<? extends JsonNode> elements, List<Optional<RuntimeException>> failures) {
    for (int i = 0; stream != null && i < failures.size(); i++) {
      RuntimeException failure = failures.get(i).orElse(null);
      if (failure == null || failure instanceof ReceiptHandleExpiredException) {
        stream.settled(elements.get(i).path("receipt").asText());
      }
    }
    return failures;
  }

  /**
   * Extends leases in one request; each extension succeeds or fails on its own.
   *
   * @param extensions elements of {@code /v1/extend/batch}, at most {@value #MAX_BATCH}
   * @return as of {@link #acknowledge}
   */
  public List<Optional<RuntimeException>> extend(List<? extends JsonNode> extensions) {
    return settle(RepeatedEndpoints.EXTEND, extensions, callTimeout);
  }

  /**
   * Extends leases for a heartbeat, whose answer soon becomes useless. The call does not wait for a
   * place among the connections. After an unanswered call, the next call uses a new connection.
   *
   * @param within how long the call may take, positive
   */
  public List<Optional<RuntimeException>> extend(
      List<? extends JsonNode> extensions, Duration within) {
    return settle(RepeatedEndpoints.HEARTBEAT, extensions, within);
  }

  private List<Optional<RuntimeException>> settle(
      Endpoint<Boolean> endpoint, List<? extends JsonNode> elements, Duration within) {
    if (elements.isEmpty() || elements.size() > MAX_BATCH) {
      throw new IllegalArgumentException("a batch has 1 to " + MAX_BATCH + " elements");
    }
    return lifecycle.underWay(
        () -> {
          List<HttpTask<Boolean>> tasks =
              elements.stream()
                  .map(element -> this.<Boolean>task(HttpJson.bytes(element), within))
                  .toList();
          calls.run(endpoint, tasks);
          return tasks.stream().map(BatchTask::failure).toList();
        });
  }

  private <A> HttpTask<A> task(byte @Nullable [] json, Duration within) {
    return new HttpTask<>(json, 0, clock.nanoTime(), clock.deadline(within));
  }

  /**
   * Refuses new calls, ends receives, and waits for other calls, at most as long as one call may
   * take.
   */
  @Override
  public void close() {
    if (stream != null) {
      stream.close();
    }
    if (lifecycle.beginClosing()) {
      lifecycle.finish(callTimeout);
      if (threads != null) {
        threads.shutdown();
      }
      if (ownConnections != null) {
        ownConnections.close();
      }
    }
  }

  /** Builds a service. */
  public static final class Builder {
    private final URI service;
    private final TokenSource tokens;
    private boolean plainHttp;
    private Duration callTimeout = ServiceBuilder.CALL_TIMEOUT;
    private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
    private @Nullable HttpConnections connections;
    private String streamed = "";

    private Builder(URI service, TokenSource tokens) {
      this.service = ServiceUri.base(service);
      this.tokens = requireNonNull(tokens, "tokens");
    }

    /** The connections to share with mailboxes; by default the service has its own. */
    public Builder connections(HttpConnections value) {
      connections = requireNonNull(value, "connections");
      return this;
    }

    /** How long a call is repeated, positive; by default 10 s. */
    public Builder callTimeout(Duration value) {
      callTimeout = ServiceBuilder.positive("callTimeout", value);
      return this;
    }

    /**
     * Receives one topic by a stream, as with {@link HttpMailbox.Builder#streaming}.
     *
     * @throws IllegalArgumentException if the name is malformed
     */
    public Builder streaming(String topic) {
      streamed = MailboxNames.require(topic);
      return this;
    }

    /** Allows {@code http} to another machine, where anybody between can read the token. */
    public Builder allowPlainHttp() {
      plainHttp = true;
      return this;
    }

    Builder random(DoubleSupplier value) {
      random = value;
      return this;
    }

    /**
     * The service. Makes no call yet.
     *
     * @throws IllegalArgumentException if it has a plain HTTP address without {@link
     *     #allowPlainHttp}
     * @throws IllegalStateException if the connections are closed
     */
    public HttpService build() {
      if (!plainHttp) {
        ServiceUri.requirePrivate(service);
      }
      HttpConnections shared =
          connections != null ? connections : HttpConnections.builder().build();
      HttpService made = new HttpService(this, shared);
      shared.attach(made);
      return made;
    }
  }
}

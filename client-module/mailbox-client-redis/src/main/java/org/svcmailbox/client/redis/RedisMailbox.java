package org.svcmailbox.client.redis;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.spi.AbstractMailbox;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * A mailbox on Redis 7 or later, or Valkey; on one server or a cluster.
 *
 * <p>A returned message goes to the head of the queue, ordered by the end of its lease; so does a
 * delayed message when it is due. A lease that ran out is lost when the next receive returns the
 * message. {@link #purge} deletes held messages too.
 *
 * <p>{@link #sendAsync} gathers messages while a batch of up to 100 is out, and keeps the order in
 * which one thread sends. Callbacks must not block: they run on the thread that makes the requests.
 *
 * <p>Messages are as durable as Redis is configured: only {@code appendfsync always} survives a
 * loss of power. {@link Builder#replicas} waits for replicas, yet a failover may still lose or
 * repeat messages.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class RedisMailbox<T, R> extends AbstractMailbox<T, R> {
  /** The default capacity in messages. */
  public static final int DEFAULT_CAPACITY = 100_000;

  /** The default number of messages that may be unanswered. */
  public static final int BUFFER_MESSAGES = 10_000;

  /** The bytes of these. */
  public static final long BUFFER_BYTES = 16L << 20;

  /** The largest permitted {@code maxBodyBytes}, and the most bytes that one receive returns. */
  public static final int LARGEST_BODY = 8 << 20;

  /** More than the attributes, names and ids of one message take. */
  private static final long LARGEST_HEADER = 1 << 20;

  private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:(\\S+)");
  private static final Pattern VERSION = Pattern.compile("(?m)^redis_version:(\\d+)");

  private RedisMailbox(Builder<T, R> from, RedisDriver driver) {
    super(from.name, driver, from.codec, from.replyCodec, from.resolver);
  }

  /**
   * Builds a mailbox, by default on 127.0.0.1:6379.
   *
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @throws IllegalArgumentException if the name is malformed
   */
  public static <T, R> Builder<T, R> builder(String name, Codec<T> codec, Codec<R> replyCodec) {
    return new Builder<>(name, codec, replyCodec);
  }

  /** As {@link #builder(String, Codec, Codec)}, for messages without replies. */
  public static <T> Builder<T, Void> builder(String name, Codec<T> codec) {
    return builder(name, codec, Codecs.none());
  }

  /**
   * Builds a mailbox.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> {
    final String name;
    private final Codec<T> codec;
    private final Codec<R> replyCodec;
    private MailboxResolver resolver = MailboxResolver.of();
    private HostAndPort server = new HostAndPort("127.0.0.1", 6379);
    private @Nullable Set<HostAndPort> cluster;
    private JedisClientConfig client = DefaultJedisClientConfig.builder().build();
    private int connections = 8;
    int capacity = DEFAULT_CAPACITY;
    int maxBodyBytes = BackendFeatures.REDIS.maxBodyBytes();
    int replicas;
    int bufferMessages = BUFFER_MESSAGES;
    long bufferBytes = BUFFER_BYTES;
    Duration flush = Duration.ofSeconds(10);

    String location() {
      return cluster == null
          ? server.toString()
          : String.join(",", cluster.stream().map(HostAndPort::toString).sorted().toList());
    }

    private Builder(String name, Codec<T> codec, Codec<R> replyCodec) {
      this.name = MailboxNames.require(name);
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    /** Finds the mailboxes for replies to received messages; by default none. */
    public Builder<T, R> resolver(MailboxResolver value) {
      resolver = requireNonNull(value, "resolver");
      return this;
    }

    /** The one server. */
    public Builder<T, R> server(HostAndPort value) {
      server = requireNonNull(value, "server");
      cluster = null;
      return this;
    }

    /** A cluster, found through any of these servers. */
    public Builder<T, R> cluster(Set<HostAndPort> some) {
      if (some.isEmpty()) {
        throw new IllegalArgumentException("a cluster is found through at least one server");
      }
      cluster = Set.copyOf(some);
      return this;
    }

    /** Credentials, TLS and timeouts, which must be finite; by default those of Jedis. */
    public Builder<T, R> client(JedisClientConfig value) {
      if (value.getSocketTimeoutMillis() <= 0 || value.getConnectionTimeoutMillis() <= 0) {
        throw new IllegalArgumentException("the timeouts must be finite");
      }
      client = value;
      return this;
    }

    /**
     * The most messages in the mailbox, including held ones; by default {@value #DEFAULT_CAPACITY}.
     */
    public Builder<T, R> capacity(int messages) {
      capacity = positive("capacity", messages, Integer.MAX_VALUE);
      return this;
    }

    /** The most bytes of a body, up to {@value #LARGEST_BODY}; by default 1 MiB. */
    public Builder<T, R> maxBodyBytes(int bytes) {
      maxBodyBytes = positive("maxBodyBytes", bytes, LARGEST_BODY);
      return this;
    }

    /**
     * How many replicas must confirm a send or a settlement before it is answered. If they do not
     * confirm within half the socket timeout, the call fails with {@code UNKNOWN}.
     */
    public Builder<T, R> replicas(int atLeast) {
      replicas = positive("replicas", atLeast, 100);
      return this;
    }

    /** The most connections to a server, in addition to the one that waits; by default 8. */
    public Builder<T, R> connections(int most) {
      connections = positive("connections", most, 1_000);
      return this;
    }

    /**
     * Limits the unanswered messages of {@link #sendAsync}; it refuses further messages.
     *
     * @param messages at least 1; by default {@value #BUFFER_MESSAGES}
     * @param bytes their total size, at least {@link #maxBodyBytes} plus 1 MiB for the other
     *     fields, so that one message fits; by default 16 MiB
     */
    public Builder<T, R> buffer(int messages, long bytes) {
      bufferMessages = positive("buffer", messages, Integer.MAX_VALUE);
      bufferBytes = bytes;
      return this;
    }

    /** How long closing waits for asynchronous sends. */
    Builder<T, R> flush(Duration value) {
      flush = value;
      return this;
    }

    /**
     * Connects and opens the mailbox. Messages already in it stay.
     *
     * @throws IllegalArgumentException if the buffer is too small for the largest body
     * @throws MailboxConnectionException if Redis cannot be reached
     * @throws IllegalStateException if Redis is older than 7, or deletes messages when its memory
     *     is full (a policy {@code allkeys-*})
     */
    public RedisMailbox<T, R> build() {
      if (bufferBytes < maxBodyBytes + LARGEST_HEADER) {
        throw new IllegalArgumentException(
            "a buffer holds at least " + (maxBodyBytes + LARGEST_HEADER) + " bytes");
      }
      String tag = "{queue:" + name + "}:";
      List<String> keys = List.of(tag + "pending", tag + "invisible", tag + "data", tag + "meta");
      Servers servers = connect(keys.get(0));
      try {
        requireSuitable(servers);
        return new RedisMailbox<>(this, driver(servers, keys));
      } catch (RuntimeException e) {
        servers.close();
        throw e;
      }
    }

    private Servers connect(String pending) {
      ConnectionPoolConfig pool = new ConnectionPoolConfig();
      pool.setMaxTotal(connections);
      pool.setMaxIdle(connections);
      pool.setMaxWait(Duration.ofMillis(client.getSocketTimeoutMillis()));
      pool.setJmxEnabled(false);
      try {
        return cluster == null
            ? Servers.single(server, client, pool)
            : Servers.cluster(cluster, JedisClusterCRC16.getSlot(pending), client, pool);
      } catch (JedisException e) {
        throw RedisErrors.unreachable(e);
      }
    }

    private RedisDriver driver(Servers servers, List<String> keys) {
      int replicaTimeout = Math.max(1, client.getSocketTimeoutMillis() / 2);
      return new RedisDriver(
          this,
          servers,
          new ScriptRunner(servers, keys, replicas, replicaTimeout),
          new HeadWaiter(servers, keys.get(0), client));
    }

    private static void requireSuitable(Servers servers) {
      for (Pool<Connection> pool : servers.pools()) {
        try (Connection connection = pool.getResource()) {
          connection.sendCommand(Command.INFO);
          requireSuitable(new String((byte[]) connection.getOne(), StandardCharsets.UTF_8));
        } catch (JedisDataException e) {
          throw RedisErrors.refused(e);
        } catch (JedisException e) {
          throw RedisErrors.unreachable(e);
        }
      }
    }

    private static void requireSuitable(String info) {
      Matcher version = VERSION.matcher(info);
      if (version.find() && Integer.parseInt(version.group(1)) < 7) {
        throw new IllegalStateException(
            "a mailbox needs Redis 7 or later, not " + version.group(1));
      }
      Matcher policy = POLICY.matcher(info);
      if (policy.find() && policy.group(1).startsWith("allkeys-")) {
        throw new IllegalStateException(
            "Redis has maxmemory-policy "
                + policy.group(1)
                + " and would delete messages; set noeviction");
      }
    }

    private static int positive(String what, int value, int max) {
      if (value < 1 || value > max) {
        throw new IllegalArgumentException(
            what + " must be between 1 and " + max + ", not " + value);
      }
      return value;
    }
  }
}

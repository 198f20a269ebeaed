package org.svcmailbox.client.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Waits until the pending list has a head, on one connection for any number of threads. One thread
 * blocks in Redis, and the others wait for their turn; each turn ends at once while there is a
 * head.
 */
final class HeadWaiter implements AutoCloseable {
  /** How long it takes at most until a thread that blocks in Redis notices an interrupt. */
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final Servers servers;
  private final String pending;
  private final JedisClientConfig client;
  private final ReentrantLock turn = new ReentrantLock();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Connection connection;

  HeadWaiter(Servers servers, String pending, JedisClientConfig client) {
    this.servers = servers;
    this.pending = pending;
    this.client =
        DefaultJedisClientConfig.builder()
            .from(client)
            .socketTimeoutMillis(
                Math.toIntExact(client.getSocketTimeoutMillis() + LONGEST.toMillis()))
            .build();
  }

  /** Returns when there may be a head, after {@code nanos}, after a second, or when this closes. */
  void await(long nanos) throws InterruptedException {
    long bounded = Math.min(nanos, LONGEST.toNanos());
    long end = System.nanoTime() + bounded;
    if (turn.tryLock(bounded, NANOSECONDS)) {
      try {
        long left = end - System.nanoTime();
        if (left > 0 && !isClosed()) {
          block(left);
        }
      } finally {
        turn.unlock();
      }
    }
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void block(long nanos) throws InterruptedException {
    try {
      Connection blocking = connected();
      if (!isClosed()) {
        blocking.sendCommand(Command.BLMOVE, pending, pending, "LEFT", "LEFT", seconds(nanos));
        blocking.getOne();
      }
    } catch (JedisDataException e) {
      if (RedisErrors.isOutOfMemory(e)) {
        closed.await(nanos, NANOSECONDS);
      } else {
        recover(e);
      }
    } catch (JedisException e) {
      disconnect();
      if (!isClosed()) {
        throw RedisErrors.unreachable(e);
      }
    } finally {
      if (isClosed()) {
        disconnect();
      }
    }
  }

  private void recover(JedisDataException answer) {
    disconnect();
    if (!(answer instanceof JedisRedirectionException)) {
      throw RedisErrors.refused(answer);
    }
    try {
      servers.refresh();
    } catch (JedisException e) {
      throw RedisErrors.unreachable(e);
    }
  }

  private Connection connected() {
    Connection current = connection;
    if (current == null) {
      current = new Connection(servers.address(), client);
      connection = current;
    }
    return current;
  }

  private void disconnect() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      try {
        current.forceDisconnect();
      } catch (IOException e) {
        // The connection is useless now, closed or not.
      }
    }
  }

  /** Never zero, which would block forever. */
  private static String seconds(long nanos) {
    return Double.toString(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999)) / 1000.0);
  }

  @Override
  public void close() {
    closed.countDown();
    disconnect();
  }
}

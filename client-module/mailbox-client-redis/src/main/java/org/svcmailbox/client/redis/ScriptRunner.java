package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Runs scripts, many in one round trip. It repeats a call only if Redis did not run it, because the
 * script is unknown, or because another server has the mailbox or will have it. A move takes as
 * long as copying its keys, so the repeats pause.
 */
final class ScriptRunner {
  /**
   * A settlement found no message, which may be the effect of an earlier attempt of the same call.
   */
  static final int GONE = 4;

  /** About a second, with the pauses in between. */
  private static final int MAX_ROUNDS = 10;

  /** Doubled after each round. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

  private final Servers servers;
  private final byte[][] keys;
  private final int replicas;
  private final int replicaTimeoutMillis;

  /**
   * @param keys the mailbox's keys
   * @param replicas how many replicas must have a change before it is answered
   * @param replicaTimeoutMillis how long to wait for them
   */
  ScriptRunner(Servers servers, List<String> keys, int replicas, int replicaTimeoutMillis) {
    this.servers = servers;
    this.keys = keys.stream().map(key -> key.getBytes(US_ASCII)).toArray(byte[][]::new);
    this.replicas = replicas;
    this.replicaTimeoutMillis = replicaTimeoutMillis;
  }

  /** Runs the script once and returns the elements of its answer. */
  List<?> run(Script script, byte[]... arguments) {
    Object answer = runAll(script, List.<byte[][]>of(arguments)).get(0);
    if (answer instanceof MailboxException failure) {
      throw failure;
    }
    return (List<?>) answer;
  }

  /**
   * Runs the script for each list of arguments, in order.
   *
   * @return for each an answer's elements, or a {@link MailboxException}
   */
  List<Object> runAll(Script script, List<byte[][]> calls) {
    @Nullable Object[] answers = new Object[calls.size()];
    List<Integer> open = IntStream.range(0, answers.length).boxed().toList();
    boolean known = true;
    for (int round = 1; !open.isEmpty(); round++) {
      exchange(script, known, calls, open, answers);
      List<Integer> again = new ArrayList<>();
      for (int i : open) {
        // A later message waits together with an earlier one, so as not to overtake it.
        if (again.isEmpty() && answers[i] instanceof JedisAskDataException ask) {
          answers[i] = ask(ask.getTargetNode(), script, calls.get(i));
        }
        if (answers[i] instanceof JedisDataException e && RedisErrors.isRepeatable(e)) {
          again.add(i);
        }
      }
      known &= !contains(JedisNoScriptException.class, again, answers);
      boolean moved = contains(JedisRedirectionException.class, again, answers);
      if (round == MAX_ROUNDS || (moved && !refresh())) {
        break;
      }
      if (round > 1 && !again.isEmpty()) {
        LockSupport.parkNanos(FIRST_PAUSE.toNanos() << round);
      }
      open = again;
    }
    List<Object> results = new ArrayList<>();
    for (Object answer : answers) {
      results.add(answer instanceof JedisDataException e ? RedisErrors.refused(e) : answer);
    }
    return results;
  }

  private static boolean contains(Class<?> type, List<Integer> places, @Nullable Object[] answers) {
    return places.stream().anyMatch(i -> type.isInstance(answers[i]));
  }

  private boolean refresh() {
    try {
      servers.refresh();
      return true;
    } catch (JedisException e) {
      return false;
    }
  }

  private void exchange(
      Script script,
      boolean known,
      List<byte[][]> calls,
      List<Integer> open,
      @Nullable Object[] answers) {
    Connection connection;
    try {
      connection = servers.connection();
    } catch (JedisException e) {
      MailboxException failure = RedisErrors.unreachable(e);
      open.forEach(i -> answers[i] = failure);
      // The server may have been replaced; the next call finds the new one.
      refresh();
      return;
    }
    boolean waits = replicas > 0 && script.promises();
    open.forEach(i -> answers[i] = null);
    try {
      for (int i : open) {
        request(connection, script, known, calls.get(i));
      }
      if (waits) {
        requestReplicas(connection);
      }
      for (int i : open) {
        answers[i] = answer(connection);
        if (answers[i] instanceof JedisDataException e && RedisErrors.isReadOnly(e)) {
          // This server was the primary. Its address may lead to the new one by now.
          connection.setBroken();
        }
      }
      if (waits) {
        requireReplicas(connection.getOne(), open, answers);
      }
    } catch (JedisException e) {
      connection.setBroken();
      MailboxException failure = RedisErrors.unanswered(e);
      for (int i : open) {
        if (answers[i] == null || (waits && isChange(answers[i]))) {
          answers[i] = failure;
        }
      }
    } finally {
      release(connection);
    }
  }

  /** Returns the connection to its pool, which may try to open a replacement and fail. */
  private static void release(Connection connection) {
    try {
      connection.close();
    } catch (JedisException e) {
      // The call is over, whatever happens to the pool; the next call opens what it needs.
    }
  }

  /** Runs the script on the server that takes over the mailbox. */
  private Object ask(HostAndPort server, Script script, byte[][] arguments) {
    Connection connection;
    try {
      connection = servers.connection(server);
    } catch (JedisException e) {
      return RedisErrors.unreachable(e);
    }
    boolean waits = replicas > 0 && script.promises();
    try {
      connection.sendCommand(Command.ASKING);
      request(connection, script, false, arguments);
      if (waits) {
        requestReplicas(connection);
      }
      connection.getOne();
      @Nullable Object[] answers = {answer(connection)};
      if (waits) {
        requireReplicas(connection.getOne(), List.of(0), answers);
      }
      return answers[0];
    } catch (JedisException e) {
      connection.setBroken();
      return RedisErrors.unanswered(e);
    } finally {
      release(connection);
    }
  }

  private void request(Connection connection, Script script, boolean known, byte[][] arguments) {
    List<byte[]> all = new ArrayList<>();
    all.add((known ? script.hash() : script.source()).getBytes(US_ASCII));
    all.add(Integer.toString(keys.length).getBytes(US_ASCII));
    all.addAll(List.of(keys));
    all.addAll(List.of(arguments));
    connection.sendCommand(known ? Command.EVALSHA : Command.EVAL, all.toArray(byte[][]::new));
  }

  private static Object answer(Connection connection) {
    try {
      return connection.getOne();
    } catch (JedisDataException e) {
      return e;
    }
  }

  private void requestReplicas(Connection connection) {
    connection.sendCommand(
        Command.WAIT, Integer.toString(replicas), Integer.toString(replicaTimeoutMillis));
  }

  private void requireReplicas(Object reached, List<Integer> open, @Nullable Object[] answers) {
    if ((Long) reached < replicas) {
      MailboxException failure =
          new MailboxConnectionException(
              "only " + reached + " of " + replicas + " replicas have the change", Outcome.UNKNOWN);
      for (int i : open) {
        if (isChange(answers[i])) {
          answers[i] = failure;
        }
      }
    }
  }

  /**
   * Whether the answer says that something was changed, now or by an earlier attempt of the same
   * call.
   */
  private static boolean isChange(@Nullable Object answer) {
    return answer instanceof List<?> list
        && list.get(0) instanceof Long status
        && (status <= 1 || status == GONE);
  }
}

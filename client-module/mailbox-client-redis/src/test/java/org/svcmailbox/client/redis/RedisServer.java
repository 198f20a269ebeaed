package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** The machine's {@code redis-server} on a port and a directory of its own. */
final class RedisServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int port = PortOffset.freePort();
  private final Path directory;
  private final List<String> options;
  private @Nullable Process process;

  private RedisServer(List<String> options) {
    this.options = options;
    try {
      this.directory = Files.createTempDirectory("mailbox-redis");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts an empty one. */
  static RedisServer start(String... options) {
    Programs.require("redis-server", "redis-server");
    RedisServer server = new RedisServer(List.of(options));
    server.resume();
    return server;
  }

  /** Starts a replica of this one, which has all of its data when this returns. */
  RedisServer startReplica(String... more) {
    command(Command.CONFIG, "SET", "repl-diskless-sync-delay", "0");
    List<String> all = new ArrayList<>(List.of("--replicaof", "127.0.0.1 " + port));
    all.addAll(List.of(more));
    RedisServer replica = start(all.toArray(String[]::new));
    awaitReplica(replica);
    return replica;
  }

  /** Returns when a replica has the data of this server, which sends it every change. */
  void awaitReplica(RedisServer replica) {
    String online = "port=" + replica.port + ",state=online";
    Deadline.in(PATIENCE)
        .await(
            () ->
                replica.command(Command.INFO, "replication").contains("master_link_status:up")
                    && command(Command.INFO, "replication").contains(online),
            () -> "the replica follows");
  }

  /** Lets it answer nothing and keep its connections, until {@link #proceed}. */
  void freeze() {
    signal("-STOP");
  }

  void proceed() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      long pid = requireNonNull(process).pid();
      Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
      int exit = kill.onExit().join().exitValue();
      if (exit != 0) {
        throw new IllegalStateException("kill " + signal + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it on its data and its port. */
  void resume() {
    List<String> command = new ArrayList<>(List.of("redis-server"));
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", directory.toString(), "--save", ""));
    command.addAll(options);
    File log = directory.resolve("log").toFile();
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Deadline.in(PATIENCE).await(this::answers, () -> "Redis starts, see " + log);
  }

  private boolean answers() {
    if (process != null && !process.isAlive()) {
      throw new IllegalStateException("redis-server ended, see " + directory.resolve("log"));
    }
    try {
      return "PONG".equals(command(Command.PING));
    } catch (JedisConnectionException | JedisDataException notYet) {
      return false;
    }
  }

  /** Ends it as {@code kill -9} does; its data stays. */
  void kill() {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().join();
      process = null;
    }
  }

  boolean isAlive() {
    return process != null;
  }

  HostAndPort address() {
    return new HostAndPort("127.0.0.1", port);
  }

  /** Runs a command, and returns its answer as text. */
  String command(ProtocolCommand command, String... arguments) {
    try (Jedis jedis = new Jedis(address())) {
      Object answer = jedis.sendCommand(command, arguments);
      return answer instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(answer);
    }
  }

  /** How many clients wait in a command that blocks. */
  int blockedClients() {
    return (int) info("clients", "blocked_clients:");
  }

  /** How often it answered an error of this code. */
  long errors(String code) {
    return info("errorstats", "errorstat_" + code + ":count=");
  }

  /** How often it ran a command. */
  long calls(String command) {
    return info("commandstats", "cmdstat_" + command + ":calls=");
  }

  /** The number behind a name, or 0 if there is none. */
  private long info(String section, String name) {
    Matcher matcher =
        Pattern.compile("(?m)^" + name + "(\\d+)").matcher(command(Command.INFO, section));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  @Override
  public void close() {
    kill();
    Trees.delete(directory);
  }
}

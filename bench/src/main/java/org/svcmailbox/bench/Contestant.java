package org.svcmailbox.bench;

import java.nio.file.Path;
import java.time.Duration;

/** Something with queues, in processes of its own, that does the same work as the others. */
interface Contestant extends AutoCloseable {
  /** As an option names it. */
  String name();

  /** As tables name it. */
  String title();

  /** What it has done with a message when it answers. */
  String durability();

  /** Whether it can do a load at all. */
  boolean can(Load load);

  /**
   * Starts it, with new data.
   *
   * @param directory an empty one for its data
   * @param output a file for what it prints
   */
  void start(Path directory, Path output) throws Exception;

  /** Makes an empty queue. */
  void create(String queue) throws Exception;

  /** Puts so many messages into a queue. */
  void fill(String queue, int messages) throws Exception;

  /** Loads a queue for so long, or until nothing is left to receive. */
  Outcome run(Load load, String queue, Duration lasting) throws Exception;

  /** Removes a queue with what is in it. */
  void delete(String queue) throws Exception;

  /** What it runs as. */
  ProcessUsage processes();

  /** Whether a JVM is all it runs as, and its heap can be asked for. */
  boolean isJvm();

  @Override
  void close();
}

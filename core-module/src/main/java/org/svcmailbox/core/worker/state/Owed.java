package org.svcmailbox.core.worker.state;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The commands that a worker has taken but not answered, oldest first. The worker adds and removes
 * them. Other threads may refuse them, because each command is answered only once.
 */
public final class Owed {
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();

  /** Adds a command; only for the worker. */
  public void add(Command command) {
    commands.add(command);
  }

  /** Drops the answered ones at the head; only for the worker. */
  public void forgetAnswered() {
    Command oldest;
    while ((oldest = commands.peek()) != null && oldest.isAnswered()) {
      commands.remove();
    }
  }

  /** Passes all to {@code each}. Any thread. */
  public void forEach(Consumer<Command> each) {
    commands.forEach(each);
  }
}

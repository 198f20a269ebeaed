package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.StepPart;

/**
 * Admin commands that wait for the end of the step. A command stays until it is carried out, so one
 * that kills the worker is refused together with those behind it. Until then it counts in the
 * inbox. Part of one worker.
 */
final class AdminQueue implements StepPart {
  /**
   * The time for them in each step, so that SENDs and RECVs do not wait behind many large peeks.
   */
  static final Duration SHARE = Duration.ofMillis(20);

  private final Ticker ticker;
  private final Inbox<Command> inbox;
  private final Deque<AdminCommand<?>> commands = new ArrayDeque<>();

  AdminQueue(Ticker ticker, Inbox<Command> inbox) {
    this.ticker = ticker;
    this.inbox = inbox;
  }

  void add(AdminCommand<?> command) {
    commands.add(command);
  }

  /** Carries out one command, and more while there is time. Only between two transactions. */
  void carryOut(Consumer<AdminCommand<?>> work) {
    long begun = ticker.nanos();
    AdminCommand<?> command;
    while ((command = commands.peek()) != null && ticker.nanos() - begun <= SHARE.toNanos()) {
      // A command that waited too long has already been answered as failed.
      if (!command.isAnswered()) {
        work.accept(command);
      }
      commands.remove();
      inbox.done(1);
      // The next step does the rest, and serves waiting calls with what a command has fetched.
      inbox.wake();
    }
  }

  @Override
  public void onSessionLost() {
    commands.forEach(command -> command.refuse(Refusals.brokerAway()));
    inbox.done(commands.size());
    commands.clear();
  }
}

package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Admin commands that wait for the end of the step. A command stays until it is carried out, so one
 * that breaks the worker is refused with those behind it. It counts in the inbox until then. Part
 * of one worker.
 */
final class AdminQueue {
  /** A step's share for them: SENDs and RECVs wait no longer behind many large peeks. */
  private static final long SHARE = Duration.ofMillis(20).toNanos();

  private final WorkerContext context;
  private final ShardAdmin admin;
  private final Inbox<Command> inbox;
  private final Deque<AdminCommand<?>> commands = new ArrayDeque<>();

  AdminQueue(WorkerContext context, ShardAdmin admin, Inbox<Command> inbox) {
    this.context = context;
    this.admin = admin;
    this.inbox = inbox;
  }

  void add(AdminCommand<?> command) {
    commands.add(command);
  }

  /** Carries out one, and more while there is time. Only between two transactions. */
  void carryOut() {
    if (commands.isEmpty()) {
      return;
    }
    long begun = context.now();
    AdminCommand<?> command;
    while ((command = commands.peek()) != null && context.now() - begun <= SHARE) {
      command.carryOut(admin, context.replies());
      commands.remove();
      inbox.done(1);
    }
    context.replies().flushImmediate();
    // The next step has the rest, and a command may have fetched what waiting calls must get.
    inbox.wake();
  }

  void refuseAll(Refusal refusal) {
    commands.forEach(command -> command.refuse(refusal));
    inbox.done(commands.size());
    commands.clear();
  }
}

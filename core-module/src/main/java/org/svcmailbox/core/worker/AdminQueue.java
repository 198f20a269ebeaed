package org.svcmailbox.core.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Admin commands that wait for the end of the step. A command stays until it is carried out, so one
 * that breaks the worker is refused with those behind it. Part of one worker.
 */
final class AdminQueue {
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

  /** Only between two transactions. */
  void carryOut() {
    if (commands.isEmpty()) {
      return;
    }
    AdminCommand<?> command;
    while ((command = commands.peek()) != null) {
      command.carryOut(admin, context.replies());
      commands.remove();
    }
    context.replies().flushImmediate();
    // A command may have fetched messages that waiting calls must get.
    inbox.wake();
  }

  void refuseAll(Refusal refusal) {
    commands.forEach(command -> command.refuse(refusal));
    commands.clear();
  }
}

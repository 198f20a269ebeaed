package org.svcmailbox.core.worker;

import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.worker.dispatch.GiveBack;
import org.svcmailbox.core.worker.dispatch.LeaseDelivery;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.ReadyCall;
import org.svcmailbox.core.worker.dispatch.RecvCall;
import org.svcmailbox.core.worker.send.PendingSends;
import org.svcmailbox.core.worker.send.Send;
import org.svcmailbox.core.worker.settle.Settle;
import org.svcmailbox.core.worker.settle.Settlement;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Takes a worker's commands from its inbox. SENDs and admin commands wait for their part of the
 * step; all others are carried out at once. Part of one worker.
 */
final class CommandIntake {
  /** Commands carried out in one step, and so in one commit. */
  private static final int MAX_BATCH = Batch.MAX_ROWS;

  private final WorkerContext context;
  private final Inbox<Command> inbox;
  private final PendingSends sends;
  private final AdminQueue adminCommands;
  private final MessageDispatcher dispatcher;
  private final LeaseDelivery delivery;
  private final Settlement settlement;

  CommandIntake(
      WorkerContext context,
      Inbox<Command> inbox,
      PendingSends sends,
      AdminQueue adminCommands,
      MessageDispatcher dispatcher,
      LeaseDelivery delivery,
      Settlement settlement) {
    this.context = context;
    this.inbox = inbox;
    this.sends = sends;
    this.adminCommands = adminCommands;
    this.dispatcher = dispatcher;
    this.delivery = delivery;
    this.settlement = settlement;
  }

  /** Takes the commands of one step; returns how many. */
  int take() {
    context.limits().refreshDisk();
    int others = 0;
    Command command;
    while (others < MAX_BATCH && (command = inbox.poll()) != null) {
      context.moved();
      context.owed().add(command);
      if (command instanceof Send send) {
        sends.add(send);
      } else {
        others++;
        take(command);
      }
    }
    return others + sends.take(MAX_BATCH);
  }

  /** Refuses all commands, for a worker without a session. */
  void refuseAll() {
    Command command;
    while ((command = inbox.poll()) != null) {
      if (command instanceof Send send) {
        sends.add(send);
      } else {
        inbox.done(1);
        Command refused = command;
        context.replies().replyNow(() -> refused.refuse(Refusals.brokerAway()));
      }
    }
    sends.refuseQueued();
    context.replies().onSessionLost();
  }

  private void take(Command command) {
    if (!(command instanceof AdminCommand)) {
      inbox.done(1);
    }
    try {
      dispatch(command);
    } catch (RuntimeException | Error e) {
      if (command instanceof RecvCall call) {
        delivery.orphan(call, Refusals.brokerAway());
      } else {
        command.refuse(Refusals.brokerAway());
      }
      throw e;
    }
  }

  private void dispatch(Command command) {
    if (command instanceof RecvCall call) {
      recv(call);
    } else if (command instanceof ReadyCall call) {
      watch(call);
    } else if (command instanceof Settle settle) {
      settlement.settle(settle);
    } else if (command instanceof GiveBack unread) {
      delivery.giveBack(unread.leases());
    } else if (command instanceof AdminCommand<?> adminCommand) {
      adminCommands.add(adminCommand);
    } else {
      throw new IllegalArgumentException("no worker knows " + command.getClass());
    }
  }

  private void watch(ReadyCall call) {
    if (context.ports().topics().isCurrent(call.topic())) {
      dispatcher.watch(call);
    } else {
      context.replies().replyNow(call::answer);
    }
  }

  private void recv(RecvCall call) {
    if (context.ports().topics().isCurrent(call.topic())) {
      dispatcher.recv(call);
    } else {
      context.replies().replyNow(() -> call.refuse(Refusals.topicChanged()));
    }
  }
}

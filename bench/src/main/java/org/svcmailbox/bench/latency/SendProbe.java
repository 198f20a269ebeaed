package org.svcmailbox.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.load.HttpSender;
import org.svcmailbox.bench.load.Schedule;
import org.svcmailbox.bench.load.SenderGroup;

/** SENDs at a fixed rate until a moment that is not known when they start. */
record SendProbe(LoadTarget client, LoadTarget operator, int perSecond) {
  private static final int SENDERS = 16;

  /**
   * A SEND.
   *
   * @param nanos from its due time to its answer
   */
  record Taken(long due, long nanos) {}

  /**
   * Sends to a topic.
   *
   * @param end the last due time, as far as it is known
   */
  List<Taken> run(String topic, LongSupplier end) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicLong start = new AtomicLong();
    HttpProtocol protocol = new MailboxProtocol(client, operator);
    return SenderGroup.run(
            SENDERS,
            number -> new HttpSender(client, protocol, topic, number),
            () -> start.compareAndSet(0, System.nanoTime()),
            sender -> {
              Schedule schedule = Schedule.from(start.get(), perSecond);
              List<Taken> taken = new ArrayList<>();
              long due = start.get();
              while (end.getAsLong() - due > 0) {
                int number = next.getAndIncrement();
                due = schedule.due(number);
                schedule.await(number);
                sender.send(1);
                taken.add(new Taken(due, System.nanoTime() - due));
              }
              return taken;
            })
        .stream()
        .flatMap(List::stream)
        .toList();
  }
}

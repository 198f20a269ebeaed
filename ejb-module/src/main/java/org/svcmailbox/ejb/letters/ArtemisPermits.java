package org.svcmailbox.ejb.letters;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;

/** Permits as empty queues that are named after their jobs. */
public record ArtemisPermits(BrokerAdmin admin) implements DiscardPermits {
  @Override
  public void grant(JobId job) {
    admin.queues().create(queue(job));
  }

  @Override
  public void withdraw(JobId job) {
    admin.queues().delete(queue(job));
  }

  private static SimpleString queue(JobId job) {
    return QueueNames.permit(job.value());
  }

  @Override
  public Set<JobId> all() {
    return admin.queues().names().stream()
        .map(queue -> QueueNames.permitOf(queue.toString()))
        .flatMap(Optional::stream)
        .map(JobId::new)
        .collect(Collectors.toSet());
  }
}

package org.svcmailbox.ejb.broker;

import java.util.List;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.ejb.admin.BrokerAdmin;

/**
 * Whether another broker of a pair waits to take over, as the last look found. The broker's plugin
 * says so by an address. One thread looks; any may read.
 */
public final class Standby implements MetricSource {
  private static final String PLUGIN = "org.svcmailbox.broker.AnnounceWaiting";
  private static final String ADDRESS = "mailbox.standby";
  private static final String PAIR = "Shared Store";

  private final BrokerAdmin admin;
  private volatile @Nullable Boolean waits;

  Standby(BrokerAdmin admin) {
    this.admin = admin;
  }

  /**
   * Looks again.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when the broker does not answer
   */
  public void look() {
    waits = isTold() ? admin.queues().hasAddress(ADDRESS) : null;
  }

  private boolean isTold() {
    return admin.attributes().text(ResourceNames.BROKER, "HAPolicy").startsWith(PAIR)
        && admin
            .attributes()
            .texts(ResourceNames.BROKER, "BrokerPluginClassNames")
            .contains(PLUGIN);
  }

  /** Nothing is known while no broker answers. */
  public void forget() {
    waits = null;
  }

  /** Null without a pair, with one that does not tell, and while nothing is known. */
  public @Nullable Boolean waits() {
    return waits;
  }

  private double gauge() {
    Boolean known = waits;
    if (known == null) {
      return Double.NaN;
    }
    return known ? 1 : 0;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(Family.MAILBOX_BROKER_STANDBY.ofDouble(this::gauge));
  }
}

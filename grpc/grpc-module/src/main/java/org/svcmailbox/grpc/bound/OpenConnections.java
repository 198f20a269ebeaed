package org.svcmailbox.grpc.bound;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;

/** Connections in use, in all and by address. Any thread. */
public final class OpenConnections implements MetricSource {
  static final String ALL = "grpc_connections";
  static final String OF_ADDRESS = "address_conns";

  private final CapacityLimit all;
  private final int perAddress;
  private final Predicate<InetAddress> isProxy;
  private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final Tally refused = new Tally(Family.REJECTED_TOTAL, List.of(ALL, OF_ADDRESS));

  /**
   * @param most connections in all
   * @param perAddress connections of one address that is not a proxy's
   */
  public OpenConnections(int most, int perAddress, Predicate<InetAddress> isProxy) {
    this.all = new CapacityLimit(ALL, "too many connections", most, System::nanoTime);
    this.perAddress = perAddress;
    this.isProxy = isProxy;
  }

  /** Counts a connection; returns false, without counting it, if it must be closed. */
  boolean open(InetAddress address) {
    if (!all.tryAdd(1)) {
      refused.count(ALL);
      return false;
    }
    if (byAddress.merge(address, 1, Integer::sum) > perAddress && !isProxy.test(address)) {
      close(address);
      refused.count(OF_ADDRESS);
      return false;
    }
    return true;
  }

  void close(InetAddress address) {
    byAddress.computeIfPresent(address, (key, open) -> open > 1 ? open - 1 : null);
    all.remove(1);
  }

  /** The number of open connections. */
  public long count() {
    return all.count();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>(all.metrics());
    metrics.addAll(refused.metrics());
    return metrics;
  }
}

package org.svcmailbox.ejb.cluster;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.core.cluster.ClusterReport;
import org.svcmailbox.core.cluster.ClusterStep;
import org.svcmailbox.core.cluster.MapFollower;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.cluster.ReplacedException;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.OutageReasons;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.store.Transactions;

/** This process as a node of a cluster. A thread of its own follows the map. */
public final class ClusterNode {
  private static final Logger LOG = System.getLogger(ClusterNode.class.getName());

  /** A balancer notices within this time that the node leaves. */
  private static final Duration LEAST = Duration.ofSeconds(2);

  /** Within this time the other nodes read who has a group, and call it there. */
  private static final Duration KNOWN = MapFollower.EVERY.multipliedBy(2);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final MailboxSettings.Cluster settings;
  private final SqlClusterStore store;
  private final MapFollower follower;
  private final Runnable replaced;
  private final Tasks tasks = new Tasks("cluster");
  private final OutageReasons outage = new OutageReasons();
  private volatile int number;

  /**
   * @param replaced called when another process has this node's name
   */
  public ClusterNode(
      MailboxSettings.Cluster settings,
      Transactions database,
      NodeGroups groups,
      Runnable replaced) {
    this.settings = settings;
    this.replaced = replaced;
    this.store = new SqlClusterStore(database);
    NodeId self = new NodeId(settings.node());
    ClusterStep step =
        new ClusterStep(
            self,
            settings.url(),
            settings.groups(),
            new SecureRandom().nextLong(),
            store,
            InstantSource.system(),
            System::nanoTime);
    this.follower =
        new MapFollower(
            self, step, store, groups, new HttpPeerProbe(PeerTrust.of(settings)), System::nanoTime);
  }

  /**
   * Prepares what the cluster's first start makes; other nodes must be kept from it meanwhile.
   *
   * @param seed makes the logs of all groups
   * @throws StartException if the cluster has another number of groups
   */
  public void prepare(Runnable seed) {
    int known = store.groups();
    if (known == 0) {
      seed.run();
      store.begin(settings.groups());
    } else if (known != settings.groups()) {
      throw new StartException(
          "The cluster has %d groups: set mailbox.cluster.groups=%d".formatted(known, known),
          true,
          null);
    }
  }

  /**
   * Takes this node's name, which must have been silent for a second.
   *
   * @throws StartException if another process has it
   */
  public void join() {
    while (!follower.step().hasJoined()) {
      try {
        follower.turn();
      } catch (ReplacedException e) {
        throw new StartException(String.valueOf(e.getMessage()), true, e);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    number = store.number(new NodeId(settings.node()));
    LOG.log(Level.INFO, "Node {0} has joined the cluster", settings.node());
  }

  /** Follows the map from now on. */
  public SupervisedThread start(Supervision supervision, ThreadFactory factory) {
    return supervision.start("mailbox-cluster", tasks, factory, new Turns(this::next));
  }

  private long next() {
    try {
      follower.turn();
      if (outage.end()) {
        LOG.log(Level.INFO, "The node reaches the cluster's tables again");
      }
    } catch (UnavailableException e) {
      if (outage.add(String.valueOf(e.getMessage()))) {
        LOG.log(Level.WARNING, "The node does not reach the cluster's tables: {0}", e.getMessage());
      }
    } catch (ReplacedException e) {
      LOG.log(Level.ERROR, "{0}. This process ends", e.getMessage());
      replaced.run();
      return Long.MAX_VALUE;
    }
    return MapFollower.EVERY.toNanos();
  }

  /** Gives all groups to the others; returns at once. */
  public void leave() {
    follower.leave();
  }

  /** Waits until the others have all groups and know it, for as long as the settings say. */
  public void awaitLeft() {
    long begun = System.nanoTime();
    long kept = begun;
    while (isWithin(begun, LEAST)
        || (isWithin(kept, KNOWN) && isWithin(begun, settings.leaveDeadline()))) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      kept = follower.hasLeft() ? kept : System.nanoTime();
    }
  }

  private static boolean isWithin(long begun, Duration most) {
    return System.nanoTime() - begun < most.toNanos();
  }

  /** Whether this node does what one node does for all. */
  public boolean leads() {
    return owners().of(0).equals(Owner.HERE);
  }

  /** Names this node in other tables, over its restarts; of a node that has joined. */
  public int number() {
    return number;
  }

  /** Which node serves which group. */
  public Owners owners() {
    return follower.owners();
  }

  /** Whether the node is a member, and what others lack. */
  public Vital vital() {
    String trouble = follower.trouble();
    return trouble.isEmpty()
        ? new Vital(Part.CLUSTER, true, follower.remarks())
        : Vital.down(Part.CLUSTER, trouble);
  }

  /** Whether no other node can act by topics older than a version. */
  public boolean knowTopics(long version) {
    return follower.knowTopics(version);
  }

  /** The cluster as this node sees it. */
  public ClusterReport report() {
    return ClusterReport.of(follower);
  }

  /** Counts of its thread. */
  public Tasks tasks() {
    return tasks;
  }
}

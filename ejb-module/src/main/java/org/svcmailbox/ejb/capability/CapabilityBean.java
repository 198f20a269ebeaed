package org.svcmailbox.ejb.capability;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ConsoleCapabilities;
import org.svcmailbox.core.capability.ConsoleService;
import org.svcmailbox.core.capability.ConsoleTerms;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.capability.RevocationFollower;
import org.svcmailbox.core.cluster.MapFollower;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.WayIn;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;
import org.svcmailbox.core.supervision.OutageReasons;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.settings.DataDirectory;
import org.svcmailbox.ejb.store.StoreBean;

/**
 * Reads or creates the root keys on deployment, provides the operator's capability, and produces
 * the capability services for injection.
 */
@Singleton
@Startup
@DependsOn("StoreBean")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class CapabilityBean {
  private static final Logger LOG = System.getLogger(CapabilityBean.class.getName());

  @Inject private MailboxSettings settings;

  @EJB private StoreBean store;

  @EJB private MetricsService metrics;

  private final OutageReasons outage = new OutageReasons();

  /** Null while the start waits for the broker. */
  private volatile @Nullable Capabilities capabilities;

  /** Null for as long. */
  private volatile @Nullable ConsoleService console;

  @PostConstruct
  void start() {
    store.steps().add(this::begin);
  }

  private void begin() {
    MailboxSettings.Capabilities own = settings.capabilities();
    MailboxSettings.Rates rates = settings.rates();
    Capabilities made =
        new Capabilities(
            new Capabilities.Terms(
                own.rootKeys(),
                own.cacheTtl(),
                own.outageTtl(),
                own.maxRevoked(),
                own.maxMinted(),
                settings.bounds().fairShare(),
                rates.perAddress(),
                rates.buckets()),
            new Capabilities.Ports(
                new JpaCapabilityStore(store.transactions()),
                new SecureRandom(),
                System::nanoTime,
                InstantSource.system()));
    provideOperator(made, operatorFile());
    announce(
        WayIn.CONSOLE,
        settings.console().oidc().map(CapabilityBean::provider).orElseGet(CapabilityBean::users));
    metrics.add(made);
    ConsoleCapabilities ofConsole =
        made.forConsole(
            ConsoleTerms.of(
                settings.console().maxSessions(),
                settings.console().capabilityLife(),
                settings.bounds().fairShare()));
    metrics.add(ofConsole);
    console = ofConsole;
    store.transactions().onReturn(made::restore);
    capabilities = made;
  }

  private static OwnersFile operatorFile() {
    return new OwnersFile(DataDirectory.mailbox(), "operator.cap");
  }

  /** In amnesia the operator's capability ends with its root key, which is only in memory. */
  @PreDestroy
  void stop() {
    if (settings.amnesia().on()) {
      OwnersFile file = operatorFile();
      try {
        file.delete();
      } catch (IOException e) {
        throw new UncheckedIOException("The operator's capability in " + file.path(), e);
      }
    }
  }

  private static void provideOperator(Capabilities capabilities, OwnersFile file) {
    try {
      Optional<String> before = file.read();
      Optional<String> fresh = capabilities.operatorCapability(before);
      if (fresh.isPresent()) {
        file.write(fresh.get());
      }
      announce(
          WayIn.CAPABILITY,
          fresh.or(() -> before).orElse("").isEmpty()
              ? "the operator's file, " + file.path() + ", was emptied"
              : "the operator's is in "
                  + file.path()
                  + ", allows everything and has no end: mint narrower ones, revoke it, and empty"
                  + " the file");
    } catch (IOException e) {
      throw new UncheckedIOException("The operator's capability in " + file.path(), e);
    }
  }

  private static String provider(Oidc oidc) {
    return "signed in at " + oidc.provider();
  }

  /** Creates the first user if there is none. */
  private static String users() {
    Path directory = DataDirectory.mailbox();
    try {
      Path first =
          new FirstUser(directory, new SecureRandom())
              .provide()
              .orElseGet(() -> directory.resolve(FirstUser.PASSWORD));
      return Files.exists(first)
          ? "first user " + FirstUser.NAME + ", password in " + first
          : "users of bin/mailbox-user";
    } catch (IOException e) {
      throw new UncheckedIOException("The console's users in " + directory, e);
    }
  }

  /** The guard logs the text at the end of the start. Without a guard it is logged here. */
  private static void announce(WayIn way, String text) {
    if (!ApplicationState.announced(way, text)) {
      LOG.log(Level.INFO, "{0}: {1}", way, text);
    }
  }

  /** Writes the counts of denied calls and failed sign-ins into the audit. */
  public void noteDenials() {
    made().noteDenials();
  }

  /** Counts a call on a stream. */
  public void countCall(Caller caller) {
    made().countCall(caller);
  }

  /** Has a node learn what others revoke, now and from now on. */
  public SupervisedThread follow(Supervision supervision, ThreadFactory factory) {
    RevocationFollower follower = made().follower();
    store.transactions().onReturn(follower::doubt);
    turn(follower);
    Tasks tasks = new Tasks("revocations");
    metrics.add(tasks);
    return supervision.start(
        "mailbox-revocations", tasks, factory, new Turns(() -> next(follower)));
  }

  private long next(RevocationFollower follower) {
    turn(follower);
    return MapFollower.EVERY.toNanos();
  }

  private void turn(RevocationFollower follower) {
    try {
      follower.turn();
      if (outage.end()) {
        LOG.log(Level.INFO, "Revocations by other nodes are seen again");
      }
    } catch (UnavailableException e) {
      if (outage.add(String.valueOf(e.getMessage()))) {
        LOG.log(Level.WARNING, "Revocations by other nodes are not seen: {0}", e.getMessage());
      }
    }
  }

  /** Whether any capability can be verified or believed. */
  public Vital vital(Vital database) {
    Capabilities present = capabilities;
    return present == null
        ? Vital.down(Part.CAPABILITIES, "not looked at yet")
        : present.vital(database);
  }

  @Produces
  @ApplicationScoped
  public CapabilityService capabilities() {
    return made();
  }

  @Produces
  @ApplicationScoped
  public PeerCapabilities peers() {
    return made();
  }

  @Produces
  @ApplicationScoped
  public AuditService audit() {
    return made();
  }

  @Produces
  @ApplicationScoped
  public ConsoleService console() {
    ConsoleService present = console;
    if (present == null) {
      throw starting();
    }
    return present;
  }

  private Capabilities made() {
    Capabilities present = capabilities;
    if (present == null) {
      throw starting();
    }
    return present;
  }

  private static UnavailableException starting() {
    return new UnavailableException("the service starts once its broker answers");
  }
}

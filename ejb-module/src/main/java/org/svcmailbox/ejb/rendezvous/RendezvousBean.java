package org.svcmailbox.ejb.rendezvous;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.service.Drain;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.ejb.capability.CapabilityBean;
import org.svcmailbox.ejb.capability.OwnersFile;
import org.svcmailbox.ejb.settings.DataDirectory;
import org.svcmailbox.ejb.shutdown.ShutdownBean;
import org.svcmailbox.ejb.store.StoreBean;

/** Runs the rendezvous service unless it is off. */
@Singleton
@Startup
@DependsOn({"StoreBean", "SupervisorBean", "CapabilityBean", "ShutdownBean"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local({RendezvousService.class, RendezvousAdmin.class})
public class RendezvousBean implements RendezvousService, RendezvousAdmin {
  @Inject private MailboxSettings settings;

  @EJB private StoreBean store;

  @EJB private CapabilityBean capabilities;

  @EJB private MetricsService metrics;

  @EJB private Threads supervision;

  @EJB private ShutdownBean shutdown;

  @Resource private ManagedThreadFactory threads;

  private volatile OptionalDoor door = OptionalDoor.OFF;
  private @Nullable RunningDoor running;
  private @Nullable Drain ending;

  @PostConstruct
  void start() {
    if (settings.rendezvous().enabled()) {
      store.steps().add(() -> open(settings.rendezvous()));
    }
  }

  private void open(RendezvousSettings own) {
    RendezvousDoor made =
        new RendezvousDoor(
            settings,
            new DoorPorts(
                new JpaRendezvousStore(store.transactions()),
                capabilities.capabilities(),
                new SecureRandom(),
                System::nanoTime,
                InstantSource.system()));
    RunningDoor.provideToken(made.firstToken(), tokenFile());
    RunningDoor.warn(own);
    Tasks tasks = new Tasks("rendezvous");
    metrics.add(tasks);
    RunningDoor.Time time = new RunningDoor.Time(System::nanoTime, LockSupport::parkNanos);
    RunningDoor opened =
        new RunningDoor(made, own.shutdownTimeout(), time, supervision, tasks, threads);
    running = opened;
    door = new OptionalDoor(made);
    ending = new Drain(made::drain, opened::drain);
    shutdown.add(ending);
  }

  private static OwnersFile tokenFile() {
    return new OwnersFile(DataDirectory.mailbox(), "rendezvous.token");
  }

  /** In amnesia the first token ends with the database, which is only in memory. */
  @PreDestroy
  void stop() {
    store.endSteps();
    if (running != null && ending != null) {
      shutdown.remove(ending);
      running.drain();
      if (settings.amnesia().on()) {
        forgetToken(tokenFile());
      }
    }
  }

  private static void forgetToken(OwnersFile file) {
    try {
      file.delete();
    } catch (IOException e) {
      throw new UncheckedIOException("The rendezvous door's token in " + file.path(), e);
    }
  }

  @Override
  public RendezvousService plain() {
    return door.service().orElse(this);
  }

  @Override
  public Optional<DoorSettings> settings() {
    return door.service().flatMap(RendezvousService::settings);
  }

  @Override
  public AccessAnswer admit(AccessRequest request) {
    return door.open().admit(request);
  }

  @Override
  public BodyOwners bodyOwners(RecipientId recipient) {
    return door.open().bodyOwners(recipient);
  }

  @Override
  public PostOutcome post(Access access, RecipientId recipient, byte[] body) {
    return door.open().post(access, recipient, body);
  }

  @Override
  public Runnable get(
      Access access, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver) {
    return door.open().get(access, recipient, wait, receiver);
  }

  @Override
  public Duration retryAfter() {
    return door.open().retryAfter();
  }

  @Override
  public void connections(int open) {
    door.open().connections(open);
  }

  @Override
  public Health health() {
    return door.open().health();
  }

  @Override
  public void answered(Right right, int status, Duration took) {
    door.open().answered(right, status, took);
  }

  @Override
  public String metrics() {
    return door.open().metrics();
  }

  @Override
  public Page tokens(Caller operator, String after, int limit) {
    return door.forOperator(operator).tokens(operator, after, limit);
  }

  @Override
  public Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note) {
    return door.forOperator(operator).add(operator, mailbox, rights, life, note);
  }

  @Override
  public void remove(Caller operator, String id) {
    door.forOperator(operator).remove(operator, id);
  }

  @Override
  public Issued rotate(Caller operator, String id, Duration overlap) {
    return door.forOperator(operator).rotate(operator, id, overlap);
  }

  @Override
  public AccessRules access(Caller operator) {
    return door.forOperator(operator).access(operator);
  }

  @Override
  public void setAccess(Caller operator, AccessRules rules) {
    door.forOperator(operator).setAccess(operator, rules);
  }
}

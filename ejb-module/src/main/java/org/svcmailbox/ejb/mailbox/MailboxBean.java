package org.svcmailbox.ejb.mailbox;

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
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.Half;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.sendlog.StoresRefusedException;
import org.svcmailbox.core.service.Services;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.shutdown.Drain;
import org.svcmailbox.ejb.shutdown.ShutdownBean;
import org.svcmailbox.ejb.store.StoreBean;

/**
 * Starts the mailbox with the deployment, drains it with the process, and produces its services for
 * injection. Application scope makes an injected service lazy: a bean call during deployment would
 * wait for all start-up beans.
 */
@Singleton
@Startup
@DependsOn({"StoreBean", "SupervisorBean", "ShutdownBean"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(Services.class)
public class MailboxBean implements Services {
  private static final Logger LOG = System.getLogger(MailboxBean.class.getName());

  @Inject private MailboxSettings settings;

  @EJB private StoreBean store;

  @EJB private MetricsService metrics;

  @EJB private Threads supervision;

  @EJB private ShutdownBean shutdown;

  @Resource(name = "jms/mailbox")
  private ConnectionFactory connectionFactory;

  @Resource private ManagedThreadFactory threads;

  private MailboxAssembly made;
  private List<SupervisedThread> beside;
  private Drain ending;

  @PostConstruct
  void start() {
    BrokerAccess access =
        BrokerAccess.of(((ActiveMQConnectionFactory) connectionFactory).getServerLocator());
    made = new MailboxAssembly(settings, store.transactions(), access);
    startMailbox();
    made.metrics().forEach(metrics::add);
    made.redrive().load();
    beside =
        List.of(
            made.maintenance().start(supervision, threads),
            made.redrive().start(supervision, threads));
    ending = new Drain(made.mailbox()::stopIntake, this::drain);
    shutdown.add(ending);
    ApplicationState.begun(Half.MAILBOX);
  }

  private void startMailbox() {
    try {
      made.mailbox().start(supervision, threads);
    } catch (StoresRefusedException e) {
      ApplicationState.refused();
      // In one line: the server puts a page around what fails a deployment.
      LOG.log(Level.ERROR, e.getMessage());
      throw e;
    }
  }

  @PreDestroy
  void stop() {
    ApplicationState.ended(Half.MAILBOX);
    shutdown.remove(ending);
    drain();
    made.close();
  }

  /** Everything ends within the drain deadline; what does not is left behind. */
  private void drain() {
    long until = System.nanoTime() + settings.drainDeadline().toNanos();
    beside.forEach(SupervisedThread::tellToEnd);
    made.mailbox().drain();
    beside.forEach(thread -> thread.end(Duration.ofNanos(until - System.nanoTime())));
  }

  @Override
  @Produces
  @ApplicationScoped
  public MailboxService mailbox() {
    return made.mailbox();
  }

  @Override
  @Produces
  @ApplicationScoped
  public TopicAdmin topics() {
    return made.mailbox().topicAdmin();
  }

  @Override
  @Produces
  @ApplicationScoped
  public TopicContents contents() {
    return made.mailbox().topicContents();
  }

  @Override
  @Produces
  @ApplicationScoped
  public LedgerService ledgers() {
    return made.mailbox().ledgers();
  }

  @Override
  @Produces
  @ApplicationScoped
  public DeadLetterService letters() {
    return made.letters();
  }

  @Override
  @Produces
  @ApplicationScoped
  public RedriveService redrives() {
    return made.redrive();
  }

  @Override
  @Produces
  @ApplicationScoped
  public Vitals vitals() {
    return part -> part == Part.THREADS ? supervision.vital() : made.maintenance().vital(part);
  }
}

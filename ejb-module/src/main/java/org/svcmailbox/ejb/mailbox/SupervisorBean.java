package org.svcmailbox.ejb.mailbox;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Supervisor;
import org.svcmailbox.core.supervision.Threads;

/** The supervisor of all threads of the application, including the web module's. */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local({Threads.class, Supervision.class})
public class SupervisorBean implements Threads {
  @EJB private MetricsService metrics;

  @Resource private ManagedThreadFactory threads;

  private Supervisor supervisor;

  @PostConstruct
  void begin() {
    supervisor = new Supervisor(threads, System::nanoTime, RandomGenerator.of("L64X128MixRandom"));
    metrics.add(supervisor);
    supervisor.begin();
  }

  @PreDestroy
  void end() {
    supervisor.end();
  }

  @Override
  public SupervisedThread start(String name, Tasks tasks, ThreadFactory factory, Body body) {
    return supervisor.start(name, tasks, factory, body);
  }

  @Override
  public Vital vital() {
    return supervisor.vital();
  }
}

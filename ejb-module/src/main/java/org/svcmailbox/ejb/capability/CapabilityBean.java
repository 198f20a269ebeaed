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
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ConsoleService;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.ejb.settings.DataDirectory;
import org.svcmailbox.ejb.store.StoreBean;

/**
 * Reads or makes the root keys on deployment, provides the operator's capability, and produces the
 * services of capabilities for injection.
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

  /** Null while the start waits for the broker. */
  private volatile @Nullable Capabilities capabilities;

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
    if (settings.console().oidc().isEmpty()) {
      provideFirstUser();
    }
    metrics.add(made);
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
      if (!fresh.or(() -> before).orElse("").isEmpty()) {
        LOG.log(
            Level.INFO,
            "The operator''s capability is in {0}. It allows everything and never expires:"
                + " mint narrower ones, revoke it, and empty the file",
            file.path());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The operator's capability in " + file.path(), e);
    }
  }

  private void provideFirstUser() {
    try {
      new FirstUser(DataDirectory.mailbox(), new SecureRandom())
          .provide()
          .ifPresent(
              password ->
                  LOG.log(
                      Level.INFO,
                      "The console''s first user is {0}, with the password in {1};"
                          + " bin/mailbox-user adds others",
                      FirstUser.NAME,
                      password));
    } catch (IOException e) {
      throw new UncheckedIOException("The console's users in " + DataDirectory.mailbox(), e);
    }
  }

  /** Writes the counts of denied calls and failed sign-ins into the audit. */
  public void noteDenials() {
    made().noteDenials();
  }

  /** Counts a call of a stream. */
  public void countCall(Caller caller) {
    made().countCall(caller);
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
  public AuditService audit() {
    return made();
  }

  @Produces
  @ApplicationScoped
  public ConsoleService console() {
    return made().forConsole(settings.console().capabilityLife());
  }

  private Capabilities made() {
    Capabilities present = capabilities;
    if (present == null) {
      throw new UnavailableException("the service starts once its broker answers");
    }
    return present;
  }
}

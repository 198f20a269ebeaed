package org.svcmailbox.undertow.log;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/** Adds the request's id to the log lines of every deployment that can see this extension. */
public final class LogContextExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    deployment.addThreadSetupAction(new LogContext());
  }
}

package org.svcmailbox.undertow.intake;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/** Bounds what clients can hold of every deployment that can see this extension. */
public final class IntakeExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    Counts counts = new Counts();
    context.setAttribute(Counts.ATTRIBUTE, counts.suppliers());
    deployment.addInitialHandlerChainWrapper(next -> new IntakeHandler(next, context, counts));
  }
}

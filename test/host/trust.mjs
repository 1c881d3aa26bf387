// @ts-check
/** A user who trusts the folder that VS Code has opened in Restricted Mode. */

/** @param {import("./workbench.mjs").Workbench} workbench */
export async function trustFolder(workbench) {
  const { page } = workbench;
  await page.locator(".part.banner a", { hasText: "Manage" }).click();
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor({ state: "detached" });
  // The page about trust lies over the window until it is closed.
  await page.locator('.monaco-modal-editor-block [aria-label^="Close Modal Editor"]').click();
}

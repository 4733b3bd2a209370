"""Optuna's sampler asks for settings in a journal, and "untangle sweep beta.yaml --optuna beta.log" trains them.

    python3 optuna_ask.py beta.log beta 60 4      # journal, name of the sweep, trials in all, at once
"""

import sys
import time

import optuna
from optuna.distributions import json_to_distribution
from optuna.trial import TrialState

journal, name, wanted, at_once = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(journal))
study = optuna.load_study(study_name=name, storage=storage)
space = {key: json_to_distribution(text) for key, text in study.user_attrs["distributions"].items()}

while True:
    running = len(study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)))
    asked = len(study.get_trials(deepcopy=False))
    for _ in range(min(at_once - running, wanted - asked)):
        study.ask(space)
    if running == 0 and asked >= wanted:
        break
    time.sleep(0.2)

for trial in study.best_trials:
    print(trial.number, trial.params, trial.values)
